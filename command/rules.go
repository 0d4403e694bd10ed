package command

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/lint"
	"threeway/lint/report"
	"threeway/rules"
)

func rulesCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "rules",
		Usage:     "list the rules that lint checks, or print the page of one",
		UsageText: "threeway rules [RULE] | threeway rules test [PATH...]",
		BashComplete: func(c *cli.Context) {
			cli.DefaultCompleteWithFlags(c.Command)(c)
			for _, r := range knownRules(c, system.Streams{In: p.Std.In, Out: p.Std.Out, Err: io.Discard}) {
				fmt.Fprintln(p.Std.Out, r.ID)
			}
		},
		Flags:       []cli.Flag{request.ConfigFlag(), request.OutputFlag("rules", "")},
		Subcommands: []*cli.Command{rulesTestCommand(p)},
		Action: func(c *cli.Context) error {
			outputs, err := request.Outputs(c)
			if err != nil {
				return err
			}
			run.ForPrograms(p.Std, c.Command.Name, outputs)
			if c.Args().Present() {
				return printPage(c, p.Std, outputs[0].Format)
			}
			write := map[string]func([]*lint.Rule, system.Streams) error{"text": listRules, "json": listRulesJSON}[outputs[0].Format]
			return write(knownRules(c, p.Std), p.Std)
		},
	}
}

// knownRules is what rules lists. Settings that are wrong do not keep it from
// listing the rules of threeway: their errors send people here.
func knownRules(c *cli.Context, std system.Streams) []*lint.Rule {
	cfg, err := request.SettingsOf(c, nil, ".")
	if err == nil {
		var all []*lint.Rule
		if all, err = request.Catalogue(cfg); err == nil {
			return all
		}
	}
	fmt.Fprintf(std.Err, "note: rules of your own are not listed: %v\n", err)
	return rules.All()
}

func listRules(all []*lint.Rule, std system.Streams) error {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, r := range all {
		severity := r.Severity.String()
		if r.OptIn {
			severity += " (opt-in)"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.ID, severity, r.Needs, r.Title)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return writeFolded(std, b.String())
}

// writeFolded writes a text whose lines break between words on a terminal, but for blocks
// of code.
func writeFolded(std system.Streams, text string) error {
	code := false
	for line := range strings.Lines(text) {
		fence := strings.HasPrefix(line, "```")
		if code = code != fence; !code && !fence {
			line = system.Folded(std.Out, line)
		}
		if _, err := io.WriteString(std.Out, line); err != nil {
			return err
		}
	}
	return nil
}

func listRulesJSON(all []*lint.Rule, std system.Streams) error {
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
		needs := r.Needs.String()
		if r.Needs == lint.Manifests {
			needs = "config" // as programs know it
		}
		list = append(list, rule{r.ID, r.Former, r.Title, r.Severity.String(), r.OptIn, needs, r.Repair, r.Since, r.Origin, r.Links})
	}
	e := json.NewEncoder(std.Out)
	e.SetIndent("", "  ")
	return e.Encode(list)
}

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
	err := writeFolded(std, report.Page(rule, rules.Examples(rule), 1))
	return err
}
