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
		Usage:           "print one rule's page",
		UsageText:       "threeway explain RULE",
		OnUsageError:    badUsage,
		HideHelpCommand: true,
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return fmt.Errorf("name one rule; 'threeway rules' lists them")
			}
			for _, r := range rules.All() {
				if r.ID == c.Args().First() {
					_, err := fmt.Fprint(p.std.out, report.Page(r, rules.Examples(r), 1))
					return err
				}
			}
			return fmt.Errorf("no rule is called %q; see 'threeway rules'", c.Args().First())
		},
	}
}
