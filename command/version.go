package command

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"threeway/merge/rehearsal"
)

// version is that of a release, and site the address of its documentation; they
// are empty in other builds.
var version, site string

func versionCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:            "version",
		Usage:           "print the version",
		OnUsageError:    badUsage,
		HideHelpCommand: true,
		Flags:           []cli.Flag{&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "`FORMAT`: text or json", Value: "text"}},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return fmt.Errorf("unexpected argument %q; version takes none", c.Args().First())
			}
			return printVersion(p.std, c.String("output"))
		},
	}
}

func printVersion(std streams, format string) error {
	v := version
	if info, ok := debug.ReadBuildInfo(); ok && v == "" {
		v = info.Main.Version
	}
	if v == "" {
		v = "(devel)"
	}
	simulated := fmt.Sprintf("1.%d", rehearsal.DefaultMinor)
	switch format {
	case "text":
		_, err := fmt.Fprintf(std.out, "threeway %s, simulates Kubernetes %s, %s/%s\n", v, simulated, runtime.GOOS, runtime.GOARCH)
		return err
	case "json":
		return json.NewEncoder(std.out).Encode(map[string]string{"version": v, "kubernetes": simulated, "go": runtime.Version()})
	}
	return fmt.Errorf("unknown output format %q; known: text, json", format)
}
