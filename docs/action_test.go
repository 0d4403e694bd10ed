package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestAction: no input gets into a command line, each reaches the script, and
// what others wrote is pinned.
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
	script, err := os.ReadFile("action/lint.sh")
	if err != nil {
		t.Fatal(err)
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
			if !strings.Contains(string(script), "${"+name+":-") {
				t.Errorf("the script does not look at %s", name)
			}
		}
	}
	if len(action.Inputs) == 0 || len(action.Runs.Steps) == 0 {
		t.Fatal("action.yml has no inputs or no steps")
	}
	for name := range action.Inputs {
		if !passed["${{ inputs."+name+" }}"] {
			t.Errorf("the input %s is not passed", name)
		}
	}
}
