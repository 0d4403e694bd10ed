package impact_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"threeway/fixtures"
	"threeway/merge"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// TestWayBack holds what is foreseen not to return against what a real server
// answered: it had the old manifest applied, then the new one, and was asked what
// applying the old one again would give.
func TestWayBack(t *testing.T) {
	cases, err := fixtures.Load(os.DirFS("../../fixtures"), "wayback")
	if err != nil {
		t.Fatal(err)
	}
	foreseen, actual, rejected := 0, 0, 0
	for _, c := range cases {
		there, back := c.Answers[0], c.Answers[1]
		i := impactOf(t, there.Live, c.Files["v2.yaml"], there.Step)
		for _, o := range i.Plan.Outcomes {
			r, want := i.Remainder(o.Identity()), outcome(back, o)
			if want.Error != "" {
				rejected++
				if r == nil || !r.Rejected() {
					t.Errorf("%s: %s: the way back is rejected, which is not foreseen: %s", c.Name(), o.Identity(), want.Error)
				}
				continue
			}
			got, is := []string{}, differences(o.Before, decoded(t, want.Result))
			if r != nil {
				got = differences(o.Before, r.Back.Result)
			}
			if !slices.Equal(got, is) {
				t.Errorf("%s: %s: foreseen are\n%s\nthe server leaves\n%s", c.Name(), o.Identity(), strings.Join(got, "\n"), strings.Join(is, "\n"))
			}
			if (r != nil) != (len(is) > 0) {
				t.Errorf("%s: %s: reported: %t, differences: %v", c.Name(), o.Identity(), r != nil, is)
			}
			foreseen, actual = foreseen+len(got), actual+len(is)
		}
	}
	t.Logf("%d stories: %d fields foreseen not to return, %d did not; %d objects rejected", len(cases), foreseen, actual, rejected)
	if len(cases) < 20 || actual < 10 || rejected < 3 {
		t.Error("there are too few stories")
	}
}

// impactOf rehearses a step on live objects.
func impactOf(t *testing.T, live, config string, step fixtures.Step) *impact.Impact {
	t.Helper()
	dir := t.TempDir()
	file := func(name, text string) []string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return []string{name}
	}
	opts := merge.Options{
		Options: rehearsal.Options{
			Inputs: rehearsal.Inputs{Manifests: manifest.Read(manifest.Options{Paths: file("config.yaml", config)}), Live: manifest.ReadSnapshot(manifest.Options{Paths: file("live.yaml", live)})},
		},
	}
	if step.Has("--server-side") {
		opts.ServerSide = &rehearsal.ServerSide{Manager: rehearsal.DefaultManager, Force: step.Has("--force-conflicts")}
	}
	plan, err := merge.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return impact.Of(plan, opts)
}

func outcome(a fixtures.Answer, o *rehearsal.Outcome) fixtures.Outcome {
	for _, w := range a.Want.Outcomes {
		if w.Kind == o.Kind.Kind && w.Name == o.Manifest.Name {
			return w
		}
	}
	return fixtures.Outcome{Error: "not recorded"}
}

// differences are the values in which two objects differ, but for what is the
// cluster's own business, each with the path and both values.
func differences(a, b tree.Object) []string {
	before, after := map[string]string{}, map[string]string{}
	flatten(before, "", a)
	flatten(after, "", b)
	list := []string{}
	for path, v := range before {
		if after[path] != v {
			list = append(list, path+": "+v+" → "+after[path])
		}
	}
	for path, v := range after {
		if _, ok := before[path]; !ok {
			list = append(list, path+":  → "+v)
		}
	}
	slices.Sort(list)
	return list
}

// flatten lists the values of an object by their paths.
func flatten(into map[string]string, path string, v any) {
	for _, own := range []string{".status", ".metadata.managedFields", ".metadata.resourceVersion", ".metadata.generation", ".metadata.uid", ".metadata.creationTimestamp", ".metadata.annotations." + rehearsal.LastAppliedKey} {
		if path == own {
			return
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			flatten(into, path+"."+key, x)
		}
	case []any:
		for i, x := range v {
			flatten(into, fmt.Sprintf("%s[%d]", path, i), x)
		}
	default:
		into[path] = fmt.Sprint(v)
	}
}

// decoded is an object with its numbers as they are written.
func decoded(t *testing.T, text []byte) (obj tree.Object) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&obj); err != nil {
		t.Fatal(err)
	}
	return obj
}
