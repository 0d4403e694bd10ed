package rules

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"threeway/fixtures"
	"threeway/lint"
	"threeway/merge"
	"threeway/merge/impact"
	"threeway/merge/impact/setting"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// TestSettingsAreRecorded: a real server did to the fields what the table says.
// For every setting there is a story in fixtures/settings in which the field
// leaves the manifest, and the value before and after are those of the table.
func TestSettingsAreRecorded(t *testing.T) {
	recorded := map[setting.Setting]bool{}
	cases, err := fixtures.Load(os.DirFS("../fixtures"), "settings")
	if err != nil {
		t.Fatal(err)
	}
	onAll, err := fixtures.WithMinors(cases)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range onAll {
		for _, a := range c.Answers {
			lost := lostIn(t, c, a)
			for _, o := range a.Want.Outcomes {
				var result tree.Object
				if err := json.Unmarshal(o.Result, &result); err != nil {
					t.Fatalf("%s: %s %s is rejected: %s", c.Name(), o.Kind, o.Name, o.Error)
				}
				for _, s := range lost[o.Kind+"/"+o.Name] {
					to, ok := s.path.Find(asJSON(t, result))
					if ok != s.falls || ok && !tree.Equal(asJSON(t, to), asJSON(t, s.to)) {
						t.Errorf("%s: %s %s: %s is %v after the real apply, we say %v", c.Name(), o.Kind, o.Name, s.path, to, s.to)
					}
					recorded[*s.Setting] = true
				}
			}
		}
	}
	for _, s := range setting.All() {
		if !recorded[s] {
			t.Errorf("no story shows what happens when %s of %s leaves the manifest (from %q to %q)", s.Field, s.Kinds, s.From, s.To)
		}
	}
	t.Logf("%d settings in %d stories", len(recorded), len(cases))
}

// lostIn are the settings that leave the manifests of a story, by object.
func lostIn(t *testing.T, c *fixtures.Case, a fixtures.Answer) map[string][]lostSetting {
	t.Helper()
	opts := merge.Options{
		Options: rehearsal.Options{
			Namespace: "default",
			Minor:     c.Minor,
			Inputs:    rehearsal.Inputs{Manifests: manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(c.Files[a.Step.Config()[0]])}), Live: manifest.ReadSnapshot(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(a.Live)})},
		},
	}
	plan, err := merge.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	lost := map[string][]lostSetting{}
	look := &lint.Rule{ID: "look", Severity: lint.Info, Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			told := impact.Consequences(o.Outcome)
			if o.Action == rehearsal.Configured && o.Result != nil && !tree.Equal(o.Before["spec"], o.Result["spec"]) && told == nil {
				t.Errorf("%s: nothing is said of the change of %s", c.Name(), o.Name())
			}
			for _, one := range told {
				if one.Says == "" || one.Class == setting.Controller && o.Schema != nil {
					t.Errorf("%s: %s of %s has no area: %+v", c.Name(), one.Path, o.Name(), one)
				}
			}
			for _, d := range departuresOf(p, o).list {
				name := o.Kind.Kind + "/" + o.Manifest.Name
				lost[name] = append(lost[name], d.settings...)
			}
		}
	}}
	lint.Run([]*lint.Rule{look}, lint.Input{Plan: plan, Options: opts}, lint.Options{})
	return lost
}

// asJSON is a value as JSON has it, whatever types its numbers are of.
func asJSON[T any](t *testing.T, v T) (out T) {
	t.Helper()
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}
