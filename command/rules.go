package command

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"threeway/command/settings"
	"threeway/lint"
	"threeway/merge/text/shell"
	"threeway/rules"
	"threeway/rules/own"
)

func rulesCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:            "rules",
		Usage:           "list the rules that lint checks, with your own",
		OnUsageError:    badUsage,
		HideHelpCommand: true,
		Flags:           []cli.Flag{configFlag(), &cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "`FORMAT`: text or json", Value: "text"}},
		Subcommands:     []*cli.Command{rulesTestCommand(p)},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return fmt.Errorf("unexpected argument %q; '%s' prints the page of a rule", c.Args().First(), shell.Line("threeway explain", shell.Operand(c.Args().First())))
			}
			forPrograms(p.std, c.Command.Name, []string{c.String("output")})
			list := knownRules(c, p.std)
			switch c.String("output") {
			case "text":
				return listRules(list, p.std)
			case "json":
				return listRulesJSON(list, p.std)
			}
			return fmt.Errorf("unknown output format %q; known: text, json", c.String("output"))
		},
	}
}

// catalogueOf is every rule: those of threeway, and those of the settings.
func catalogueOf(cfg *settings.Config) ([]*lint.Rule, error) {
	all := rules.All()
	if len(cfg.Own) == 0 {
		return all, nil
	}
	compiled, err := own.Compile(cfg.Own)
	if err != nil {
		return nil, err
	}
	all = append(all, compiled...)
	slices.SortFunc(all, func(a, b *lint.Rule) int { return strings.Compare(a.ID, b.ID) })
	return all, nil
}

// knownRules is what rules lists. Settings that are wrong do not keep it from
// listing the rules of threeway: their errors send people here.
func knownRules(c *cli.Context, std streams) []*lint.Rule {
	cfg, err := settingsOf(c, nil, ".")
	if err == nil {
		var all []*lint.Rule
		if all, err = catalogueOf(cfg); err == nil {
			return all
		}
	}
	fmt.Fprintf(std.err, "note: rules of your own are not listed: %v\n", err)
	return rules.All()
}

// ruleByID is the rule that has an ID, or had it, or nil.
func ruleByID(all []*lint.Rule, id string) *lint.Rule {
	if i := slices.IndexFunc(all, func(r *lint.Rule) bool { return r.Named(id) }); i >= 0 {
		return all[i]
	}
	return nil
}

func listRules(all []*lint.Rule, std streams) error {
	w := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	for _, r := range all {
		severity := r.Severity.String()
		if r.OptIn {
			severity += " (opt-in)"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.ID, severity, r.Needs, r.Title)
	}
	return w.Flush()
}

func listRulesJSON(all []*lint.Rule, std streams) error {
	type rule struct {
		ID       string   `json:"id"`
		Former   []string `json:"former,omitempty"`
		Title    string   `json:"title"`
		Severity string   `json:"severity"`
		OptIn    bool     `json:"optIn,omitempty"`
		Needs    string   `json:"needs"`
		Repair   string   `json:"repair,omitempty"`
		Since    string   `json:"since,omitempty"`
		Origin   string   `json:"origin,omitempty"`
		Links    []string `json:"links,omitempty"`
	}
	list := []rule{}
	for _, r := range all {
		list = append(list, rule{r.ID, r.Former, r.Title, r.Severity.String(), r.OptIn, r.Needs.String(), r.Repair, r.Since, r.Origin, r.Links})
	}
	e := json.NewEncoder(std.out)
	e.SetIndent("", "  ")
	return e.Encode(list)
}
