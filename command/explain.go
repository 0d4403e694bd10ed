package command

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/lint/report"
	"threeway/rules"
)

func explainCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:            "explain",
		Usage:           "print the page of a rule",
		UsageText:       "threeway explain RULE",
		OnUsageError:    run.BadUsage,
		HideHelpCommand: true,
		Flags:           []cli.Flag{request.ConfigFlag()},
		BashComplete: func(c *cli.Context) {
			cli.DefaultCompleteWithFlags(c.Command)(c)
			for _, r := range knownRules(c, system.Streams{In: p.Std.In, Out: p.Std.Out, Err: io.Discard}) {
				fmt.Fprintln(p.Std.Out, r.ID)
			}
		},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return fmt.Errorf("pass the ID of one rule; 'threeway rules' lists them")
			}
			id := c.Args().First()
			rule := request.Rule(rules.All(), id)
			if rule == nil { // settings that are wrong do not hide the other pages
				cfg, err := request.SettingsOf(c, nil, ".")
				if err != nil {
					return err
				}
				catalogue, err := request.Catalogue(cfg)
				if err != nil {
					return err
				}
				rule = request.Rule(catalogue, id)
			}
			if rule != nil {
				_, err := fmt.Fprint(p.Std.Out, report.Page(rule, rules.Examples(rule), 1))
				return err
			}
			return fmt.Errorf("unknown rule %q; 'threeway rules' lists them", id)
		},
	}
}
