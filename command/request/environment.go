package request

import (
	"os"
	"strings"

	"github.com/urfave/cli/v2"
)

// FromEnvironment lets each flag be set as THREEWAY_FLAG too, which the command
// line overrides. One that is empty counts as unset. -k must be typed, since it
// runs a program.
func FromEnvironment(flags []cli.Flag) []cli.Flag {
	for _, f := range flags {
		env := []string{"THREEWAY_" + strings.ToUpper(strings.ReplaceAll(f.Names()[0], "-", "_"))}
		if os.Getenv(env[0]) == "" || f.Names()[0] == "kustomize" {
			continue
		}
		switch f := f.(type) {
		case *cli.StringFlag:
			f.EnvVars = env
		case *cli.StringSliceFlag:
			f.EnvVars = env
		case *cli.BoolFlag:
			f.EnvVars = env
		case *cli.IntFlag:
			f.EnvVars = env
		}
	}
	return flags
}
