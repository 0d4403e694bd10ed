package command

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"threeway/command/request"
	"threeway/command/system"
	"threeway/lint"
	"threeway/lint/report"
	"threeway/rules"
)

// printPage prints the page of a rule, or what a list in JSON has of it.
func printPage(c *cli.Context, std system.Streams, format string) error {
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
	if rule == nil {
		return fmt.Errorf("unknown rule %q; 'threeway rules' lists them", id)
	}
	if format == "json" {
		return listRulesJSON([]*lint.Rule{rule}, std)
	}
	_, err := fmt.Fprint(std.Out, report.Page(rule, rules.Examples(rule), 1))
	return err
}
