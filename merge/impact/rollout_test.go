package impact_test

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"sigs.k8s.io/yaml"

	"threeway/fixtures"
)

// TestRollouts holds what is said of the pods of a workload against what a real
// kube-controller-manager did with them; testdata/record writes it down.
func TestRollouts(t *testing.T) {
	stories, err := filepath.Glob("testdata/rollouts/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	restarting := 0
	for _, story := range stories {
		archive, err := txtar.ParseFile(story)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for _, f := range archive.Files {
			files[f.Name] = string(f.Data)
		}
		var want struct {
			Replaced, Kept int
			Down           bool
		}
		if err := yaml.UnmarshalStrict([]byte(files["want.yaml"]), &want); err != nil || files["want.yaml"] == "" {
			t.Errorf("%s is not recorded: %v", story, err)
			continue
		}
		i := impactOf(t, files["live.yaml"], files["v2.yaml"], fixtures.Step{})
		if len(i.Rollouts) != 1 {
			t.Errorf("%s: %d rollouts", story, len(i.Rollouts))
			continue
		}
		r := i.Rollouts[0]
		if r.Pods != want.Replaced || !r.Counted || r.Restarts() != (want.Replaced > 0) {
			t.Errorf("%s: %s, %d pods are replaced; the controller replaced %d", story, r.How, r.Pods, want.Replaced)
		}
		if r.Kept != 0 && r.Kept != want.Kept {
			t.Errorf("%s: %d pods stay; with the controller %d did", story, r.Kept, want.Kept)
		}
		if (r.AllDown != "") != want.Down {
			t.Errorf("%s: no pod runs for a time: %q; with the controller: %t", story, r.AllDown, want.Down)
		}
		if want.Replaced > 0 {
			restarting++
		}
	}
	if len(stories) < 25 || restarting < 10 {
		t.Errorf("%d stories, %d with a restart, are too few", len(stories), restarting)
	}
}
