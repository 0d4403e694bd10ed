// Package config has the commands about the settings: a first file, and the check
// of one.
package config

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/settings"
	"threeway/rules"
)

// Command is threeway config, whose subcommands write and check the settings.
func Command(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "config",
		Usage:     "write a first " + settings.FileName + ", or check one",
		UsageText: "threeway config init | threeway config verify [FILE] | threeway config schema",
		Description: settings.FileName + ` holds the settings: where the manifests and snapshots are, how they are
applied, and which rules lint runs. threeway looks for it in the working directory
and in each directory above, up to the top of the repository.

Examples:
  threeway config init
  threeway config verify`,
		Action: func(c *cli.Context) error {
			if arg := c.Args().First(); arg != "" {
				return settings.Unknown("subcommand", arg, []string{"init", "verify", "schema"})
			}
			return fmt.Errorf("pass a subcommand: init, verify or schema")
		},
		Subcommands: []*cli.Command{configInitCommand(p), configVerifyCommand(p), {
			Name:      "schema",
			Usage:     "print the JSON Schema of the settings file, for editors",
			UsageText: "threeway config schema > " + request.SchemaFile,
			Action: func(c *cli.Context) error {
				if c.Args().Present() {
					return fmt.Errorf("unexpected argument %q; schema takes none", c.Args().First())
				}
				_, err := fmt.Fprintf(p.Std.Out, "%s", settings.Schema(rules.All()))
				return err
			},
		}},
	}
}
