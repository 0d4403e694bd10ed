package command

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"threeway/rules"
)

func rulesCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:            "rules",
		Usage:           "list the rules that lint checks",
		OnUsageError:    badUsage,
		HideHelpCommand: true,
		Flags:           []cli.Flag{&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "`FORMAT`: text or json", Value: "text"}},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return fmt.Errorf("unexpected argument %q; 'threeway explain %s' prints the page of a rule", c.Args().First(), c.Args().First())
			}
			switch c.String("output") {
			case "text":
				return listRules(p.std)
			case "json":
				return listRulesJSON(p.std)
			}
			return fmt.Errorf("unknown output format %q; known: text, json", c.String("output"))
		},
	}
}

func listRules(std streams) error {
	w := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	for _, r := range rules.All() {
		severity := r.Severity.String()
		if r.OptIn {
			severity += " (opt-in)"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.ID, severity, r.Needs, r.Title)
	}
	return w.Flush()
}

func listRulesJSON(std streams) error {
	type rule struct {
		ID       string   `json:"id"`
		Title    string   `json:"title"`
		Severity string   `json:"severity"`
		OptIn    bool     `json:"optIn,omitempty"`
		Needs    string   `json:"needs"`
		Repair   string   `json:"repair,omitempty"`
		Since    string   `json:"since"`
		Links    []string `json:"links,omitempty"`
	}
	list := []rule{}
	for _, r := range rules.All() {
		list = append(list, rule{r.ID, r.Title, r.Severity.String(), r.OptIn, r.Needs.String(), r.Repair, r.Since, r.Links})
	}
	e := json.NewEncoder(std.out)
	e.SetIndent("", "  ")
	return e.Encode(list)
}
