package rules

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"threeway/fixtures"
	"threeway/fixtures/breadth"
	"threeway/lint"
)

// printedCommand is a line of kubectl that is ready to be run: a verb and an object, or a
// file. What a text only names, such as kubectl apply, has neither.
var printedCommand = regexp.MustCompile(`kubectl (?:delete|patch|edit|annotate|label|scale|replace|create|wait|set|rollout \w+|apply edit-last-applied|apply)(?: -\S+)* (?:-f \S+|-k \S+|[a-z.]+/\S+)`)

// TestAdviceIsRehearsed: of all examples, stories and recorded cases, no finding prints a
// command that has not been rehearsed. With -v it prints for each rule how many of its
// findings have rehearsed edits, rehearsed commands, or words only.
func TestAdviceIsRehearsed(t *testing.T) {
	breadth.Long(t)
	type tally struct{ edits, commands, words int }
	count := map[string]*tally{}
	look := func(name string, result *lint.Result) {
		for _, f := range result.Findings {
			c := count[f.Rule.ID]
			if c == nil {
				c = &tally{}
				count[f.Rule.ID] = c
			}
			_, edits := f.Edits()
			switch {
			case len(edits)+len(f.Suggested()) > 0:
				c.edits++
			case len(f.Commands()) > 0:
				c.commands++
			default:
				c.words++
			}
			rehearsed := f.Commands()
			if f.Remedy != nil {
				for _, step := range f.Remedy.Steps {
					rehearsed = append(rehearsed, step.Commands...)
				}
			}
			for _, text := range append([]string{f.Message, f.Fix}, f.Notes...) {
				for _, printed := range printedCommand.FindAllString(text, -1) {
					if !slices.ContainsFunc(rehearsed, func(line string) bool { return strings.Contains(line+"),", printed) }) {
						t.Errorf("%s: %s prints a command that is not rehearsed: %s\n\t%s", name, f.Rule.ID, printed, text)
					}
				}
			}
		}
	}
	for _, r := range All() {
		for name, e := range ruleExamples(t, r) {
			_, result := examined(t, stored(t, e))
			look(r.ID+"/"+name, result)
		}
	}
	cases, err := fixtures.Load(os.DirFS(filepath.Join(home, "../fixtures")), ".")
	if err != nil {
		t.Fatal(err)
	}
	for n, c := range cases {
		for i, a := range c.Answers {
			if breadth.Has(n, 10) && a.Step.Verb != "run" && len(a.Step.Config()) == 1 && oneApply(a) {
				_, result := examine(t, t.TempDir(), exampleOf(c, a))
				look(fmt.Sprintf("%s/%d", c.Name(), i+1), result)
			}
		}
	}
	t.Logf("%-32s %6s %9s %6s", "rule", "edits", "commands", "words")
	for _, id := range slices.Sorted(maps.Keys(count)) {
		t.Logf("%-32s %6d %9d %6d", id, count[id].edits, count[id].commands, count[id].words)
	}
}
