package command

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/lint"
	"threeway/lint/report"
	"threeway/merge/text/phrase"
	"threeway/rules"
)

func rulesCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "rules",
		Usage:     "list or search the rules of lint, or print the page of one",
		UsageText: "threeway rules [RULE | WORD...] | threeway rules test [PATH...]",
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
			all := knownRules(c, p.Std)
			if rule := request.Rule(all, c.Args().First()); rule != nil && c.NArg() == 1 {
				if outputs[0].Format == "json" {
					return listRulesJSON([]*lint.Rule{rule}, p.Std)
				}
				return writeFolded(p.Std, report.Page(rule, rules.Examples(rule), 1))
			}
			found, err := search(all, c.Args().Slice())
			if err != nil {
				return err
			}
			write := map[string]func([]*lint.Rule, system.Streams) error{"text": listRules, "json": listRulesJSON}[outputs[0].Format]
			return write(found, p.Std)
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

// search returns the rules whose pages have all the words, those first that have them in the
// ID or the title.
func search(all []*lint.Rule, words []string) (found []*lint.Rule, err error) {
	has := func(texts ...string) bool {
		text := strings.ToLower(strings.Join(texts, " "))
		return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, strings.ToLower(word)) })
	}
	var rest []*lint.Rule
	for _, r := range all {
		switch {
		case has(append(r.Names(), r.Title)...):
			found = append(found, r)
		case has(append(r.Names(), r.Title, r.Text, r.Why, r.Fix)...):
			rest = append(rest, r)
		}
	}
	if found = append(found, rest...); len(found) > 0 {
		return found, nil
	}
	word := strings.Join(words, " ")
	return nil, fmt.Errorf("unknown rule %q; %s'threeway rules' lists them", word, phrase.Meant(word, request.RuleIDs(all)))
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
		Origin   string   `json:"origin,omitempty"`
		Links    []string `json:"links,omitempty"`
	}
	list := []rule{}
	for _, r := range all {
		needs := r.Needs.String()
		if r.Needs == lint.Manifests {
			needs = "config" // as programs know it
		}
		list = append(list, rule{r.ID, r.Former, r.Title, r.Severity.String(), r.OptIn, needs, r.Repair, r.Origin, r.Links})
	}
	e := json.NewEncoder(std.Out)
	e.SetIndent("", "  ")
	return e.Encode(list)
}
