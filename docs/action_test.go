package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestAction: no input gets into a command line, each reaches a script, and
// actions of others are pinned.
func TestAction(t *testing.T) {
	type step struct {
		Uses, Run string
		Env       map[string]string
	}
	var action struct {
		Inputs map[string]any
		Runs   struct{ Steps []step }
	}
	data, err := os.ReadFile("action.yml")
	if err == nil {
		err = yaml.Unmarshal(data, &action)
	}
	if err != nil {
		t.Fatal(err)
	}
	var scripts strings.Builder
	for _, name := range []string{"install", "review", "api", "comment", "check"} {
		script, err := os.ReadFile("action/" + name + ".sh")
		if err != nil {
			t.Fatal(err)
		}
		scripts.Write(script)
	}
	passed := map[string]bool{}
	pinned := regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40}$`)
	for _, s := range action.Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("an expression is part of a command: %s", s.Run)
		}
		if s.Uses != "" && !pinned.MatchString(s.Uses) {
			t.Errorf("%s is not pinned to a commit", s.Uses)
		}
		for name, value := range s.Env {
			passed[value] = true
			if !regexp.MustCompile(`\$\{?` + name + `\b`).MatchString(scripts.String() + s.Run) {
				t.Errorf("no script looks at %s", name)
			}
		}
	}
	if len(action.Inputs) == 0 || len(action.Runs.Steps) == 0 {
		t.Fatal("action.yml has no inputs or no steps")
	}
	for name := range action.Inputs {
		if name == "comment" || name == "check" { // conditions
			continue
		}
		if !passed["${{ inputs."+name+" }}"] {
			t.Errorf("the input %s is not passed", name)
		}
	}
}
