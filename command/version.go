package command

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/merge/rehearsal"
)

func versionCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version",
		Flags: []cli.Flag{request.OutputFlag("version", "")},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return fmt.Errorf("unexpected argument %q; version takes none", c.Args().First())
			}
			outputs, err := request.Outputs(c)
			if err != nil {
				return err
			}
			return printVersion(p.Std, outputs[0].Format)
		},
	}
}

func printVersion(std system.Streams, format string) error {
	v := system.Version
	if info, ok := debug.ReadBuildInfo(); ok && v == "" {
		v = info.Main.Version
	}
	if v == "" {
		v = "(devel)"
	}
	simulated := fmt.Sprintf("1.%d", rehearsal.DefaultMinor)
	if format == "json" {
		return json.NewEncoder(std.Out).Encode(map[string]string{"version": v, "kubernetes": simulated, "go": runtime.Version()})
	}
	_, err := fmt.Fprintf(std.Out, "threeway %s, simulates Kubernetes %s, %s/%s\n", v, simulated, runtime.GOOS, runtime.GOARCH)
	return err
}
