package rules

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"sigs.k8s.io/yaml"

	"threeway/fixtures"
	"threeway/lint"
)

// TestDangers holds rules against what a real server did after the apply that they
// warn of: fixtures/danger has a story for each, named as the rule. new.yaml has the
// fault, which the rule reports; harmless.yaml is like it without the fault, and the
// rule is silent. What then happened is the last answer, in which the text of the
// file proof must be.
func TestDangers(t *testing.T) {
	cases, err := fixtures.Load(os.DirFS(filepath.Join(home, "../fixtures")), "danger")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Slug, func(t *testing.T) {
			last := c.Answers[len(c.Answers)-1]
			if answered := last.Want.Output + last.Want.Stderr; !strings.Contains(answered, strings.TrimSpace(c.Files["proof"])) || c.Files["proof"] == "" {
				t.Errorf("the server answered in the end\n%s\nwhich does not have\n%s", answered, c.Files["proof"])
			}
			if n := reported(t, c.Slug, last.Live, c.Files["new.yaml"]); n == 0 {
				t.Error("the rule is silent about new.yaml")
			}
			if n := reported(t, c.Slug, last.Live, c.Files["harmless.yaml"]); n > 0 {
				t.Errorf("the rule reports harmless.yaml, %d times", n)
			}
		})
	}
	if len(cases) < 10 {
		t.Errorf("%d stories are too few", len(cases))
	}
}

// reported counts the findings of a rule about a change of live objects.
func reported(t *testing.T, id, live, config string) int {
	t.Helper()
	n := 0
	for _, f := range lintExample(t, lint.Example{Live: live, Manifest: config}, "").Findings {
		if f.Rule.ID == id {
			n++
		}
	}
	return n
}

// TestRolloutRules holds the rules about pods against what a real
// kube-controller-manager did with them (merge/impact/testdata/rollouts).
func TestRolloutRules(t *testing.T) {
	stories, err := filepath.Glob(filepath.Join(home, "../merge/impact/testdata/rollouts/*.txtar"))
	if err != nil || len(stories) < 25 {
		t.Fatal(len(stories), err)
	}
	down, held := 0, 0
	for _, story := range stories {
		archive, err := txtar.ParseFile(story)
		if err != nil {
			t.Fatal(err)
		}
		file := func(name string) string {
			i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == name })
			return string(archive.Files[i].Data)
		}
		var want struct {
			Replaced, Kept int
			Down           bool
		}
		if err := yaml.UnmarshalStrict([]byte(file("want.yaml")), &want); err != nil {
			t.Fatal(err)
		}
		live, config := file("live.yaml"), file("v2.yaml")
		if n := reported(t, "restart-without-overlap", live, config); n > 0 != (want.Down && want.Replaced > 1) {
			t.Errorf("%s: restart-without-overlap reports %d; no pod ran for a time: %t, of %d", story, n, want.Down, want.Replaced)
		}
		if n := reported(t, "template-not-rolled-out", live, config); n > 0 && want.Kept == 0 {
			t.Errorf("%s: template-not-rolled-out reports %d; all pods were replaced", story, n)
		} else if n > 0 {
			held++
		}
		if want.Down {
			down++
		}
	}
	if down < 3 || held < 2 {
		t.Errorf("%d stories in which no pod runs for a time and %d in which pods are held back are too few", down, held)
	}
}
