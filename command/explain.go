package command

import (
	"fmt"

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
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return fmt.Errorf("pass the ID of one rule; 'threeway rules' lists them")
			}
			for _, r := range rules.All() {
				if r.ID == c.Args().First() {
					_, err := fmt.Fprint(p.std.out, report.Page(r, rules.Examples(r), 1))
					return err
				}
			}
			return fmt.Errorf("unknown rule %q; 'threeway rules' lists them", c.Args().First())
		},
	}
}
