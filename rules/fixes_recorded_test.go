package rules

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"threeway/fixtures"
	"threeway/lint"
	"threeway/merge"
)

// TestFixesAreRecorded plays the stories in fixtures/fixes/RULE-WAY: the real server
// is asked, the fix of the finding is followed, and the server is asked again. What
// is done in between is what the fix says, and after it server and rehearsal accept
// the object and the finding is gone.
func TestFixesAreRecorded(t *testing.T) {
	cases, err := fixtures.Load(os.DirFS(filepath.Join(home, "../fixtures")), "fixes")
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) < 8 {
		t.Errorf("only %d stories", len(cases))
	}
	for _, c := range cases {
		t.Run(c.Slug, func(t *testing.T) {
			asked := slices.DeleteFunc(slices.Clone(c.Answers), func(a fixtures.Answer) bool { return a.Step.Verb == "run" })
			before, after := asked[0], asked[len(asked)-1]
			_, found := answered(t, c, before)
			f := ofRule(found, c.Slug)
			if f == nil {
				t.Fatal("there is no such finding")
			}
			for _, said := range followedBy(c) {
				advice := f.Fix
				if f.Remedy != nil {
					for _, s := range f.Remedy.Steps {
						advice += "\n" + strings.Join(s.Commands, "\n")
					}
				}
				if !strings.Contains(strings.ReplaceAll(advice, "'", ""), said) {
					t.Errorf("the advice is %q, not %q", advice, said)
				}
			}
			for _, want := range after.Want.Outcomes {
				if want.Word == "" {
					t.Errorf("the server rejects %s %s: %s", want.Kind, want.Name, want.Error)
				}
			}
			plan, left := answered(t, c, after)
			for _, o := range plan.Outcomes {
				if o.Rejection != nil {
					t.Errorf("the rehearsal rejects %s: %s", o.Identity(), o.Rejection)
				}
			}
			if f := ofRule(left, c.Slug); f != nil {
				t.Errorf("the finding is still there: %s", f.Message)
			}
		})
	}
}

// ofRule is the finding of the rule that the name of a story begins with.
func ofRule(res *lint.Result, slug string) *lint.Finding {
	for _, f := range res.Findings {
		if strings.HasPrefix(slug, f.Rule.ID+"-") {
			return f
		}
	}
	return nil
}

// followedBy are the commands between the first answer of a story and the last one,
// and the flags that only the last one has.
func followedBy(c *fixtures.Case) (said []string) {
	var asked []fixtures.Step
	for _, step := range c.Steps {
		switch step.Verb {
		case "snapshot":
		case "rehearse", "try":
			asked = append(asked, step)
		default:
			if words := append([]string{step.Verb}, step.Args...); len(asked) == 1 {
				if step.Verb == "run" { // NAME=VALUE COMMAND
					words = step.Args[1:]
				}
				said = append(said, "kubectl "+strings.Join(words, " "))
			}
		}
	}
	for _, flag := range asked[len(asked)-1].Flags() {
		if !asked[0].Has(flag) {
			said = append(said, flag)
		}
	}
	return said
}

// answered is what the rules say about an answer of a story.
func answered(t *testing.T, c *fixtures.Case, a fixtures.Answer) (*merge.Plan, *lint.Result) {
	t.Helper()
	return examined(t, exampleOf(c, a))
}
