package command

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"threeway/lint/report"
	"threeway/rules"
)

func explainCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:            "explain",
		Usage:           "print the page of a rule",
		UsageText:       "threeway explain RULE",
		OnUsageError:    badUsage,
		HideHelpCommand: true,
		Flags:           []cli.Flag{configFlag()},
		BashComplete: func(c *cli.Context) {
			cli.DefaultCompleteWithFlags(c.Command)(c)
			for _, r := range knownRules(c, streams{in: p.std.in, out: p.std.out, err: io.Discard}) {
				fmt.Fprintln(p.std.out, r.ID)
			}
		},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return fmt.Errorf("pass the ID of one rule; 'threeway rules' lists them")
			}
			id := c.Args().First()
			rule := ruleByID(rules.All(), id)
			if rule == nil { // settings that are wrong do not hide the other pages
				cfg, err := settingsOf(c, nil, ".")
				if err != nil {
					return err
				}
				catalogue, err := catalogueOf(cfg)
				if err != nil {
					return err
				}
				rule = ruleByID(catalogue, id)
			}
			if rule != nil {
				_, err := fmt.Fprint(p.std.out, report.Page(rule, rules.Examples(rule), 1))
				return err
			}
			return fmt.Errorf("unknown rule %q; 'threeway rules' lists them", id)
		},
	}
}
