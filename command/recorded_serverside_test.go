package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"threeway/fixtures"
	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// TestRecordedServerSide holds server-side apply to what a real kubectl and
// kube-apiserver answered: the word, the text of conflicts and rejections, the
// object, and its managedFields but for their times.
func TestRecordedServerSide(t *testing.T) {
	cases, err := fixtures.Load(os.DirFS("../fixtures"), ".")
	if err != nil {
		t.Fatal(err)
	}
	objects := 0
	for _, c := range cases {
		for i, a := range c.Answers {
			if a.Step.Verb == "run" || !a.Step.Has("--server-side") || a.Want.Kubectl == "" {
				continue
			}
			objects += len(a.Want.Outcomes)
			t.Run(fmt.Sprintf("%s/%d", c.Name(), i+1), func(t *testing.T) { checkServerSide(t, c, a) })
		}
	}
	if objects < 60 {
		t.Errorf("only %d recorded objects were checked", objects)
	}
}

func checkServerSide(t *testing.T, c *fixtures.Case, a fixtures.Answer) {
	p := rehearse(t, c, a, false)
	if a.Want.Stderr != "" {
		checkListed(t, p, a.Want.Stderr)
	}
	used := map[*merge.Outcome]bool{}
	for _, want := range a.Want.Outcomes {
		name := want.Kind + " " + want.Name
		got := find(p, want, used)
		if got == nil {
			if !problemSays(p, want.Error) {
				t.Errorf("%s: no outcome, want %q %s", name, want.Word, want.Error)
			}
			continue
		}
		used[got] = true
		if want.Word == "" {
			if got.Action != merge.Rejected || unplaced(got.Rejection.Text().Unmasked()) != unplaced(want.Error) {
				t.Errorf("%s: %s with\n%+v\nwant\n%s", name, got.Action, got.Rejection, want.Error)
			}
			continue
		}
		if got.Action == merge.Rejected {
			t.Errorf("%s: rejected with\n%s\nwant %s", name, got.Rejection.Text().Unmasked(), want.Word)
			continue
		}
		if got.Verb() != want.Word {
			t.Errorf("%s: %s, want %s", name, got.Verb(), want.Word)
		}
		compareTrees(t, name, timeless(stableMetadata(got)), wantTimeless(t, want.Result))
	}
	if a.Step.Verb == "rehearse" && !strings.Contains(a.Want.Outcomes[0].DiffError, "Error") {
		checkDiff(t, rehearse(t, c, a, true), a)
	}
}

// stableMetadata drops what the recorder drops of results, but managedFields.
func stableMetadata(o *merge.Outcome) tree.Object {
	entries := tree.List(o.Stored(), "metadata", "managedFields")
	obj := stable(o.Result, o.Live == nil)
	if entries != nil {
		tree.Set(obj, entries, "metadata", "managedFields")
	}
	return obj
}

// timeless drops the times of managedFields, and with them the order, as the
// recorder does.
func timeless(obj tree.Object) tree.Object {
	obj = tree.CopyObject(obj)
	entries := tree.List(obj, "metadata", "managedFields")
	for _, e := range entries {
		delete(e.(map[string]any), "time")
	}
	slices.SortStableFunc(entries, func(a, b any) int {
		for _, key := range []string{"operation", "manager", "apiVersion", "subresource"} {
			if order := cmp.Compare(tree.String(a, key), tree.String(b, key)); order != 0 {
				return order
			}
		}
		return 0
	})
	return obj
}

func wantTimeless(t *testing.T, recorded json.RawMessage) json.RawMessage {
	t.Helper()
	var obj tree.Object
	if err := json.Unmarshal(recorded, &obj); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(timeless(obj))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestRecordedApplies holds real applies, with the migration that follows a
// server-side one, to the objects and the managedFields that they left. Several
// in a row are one sequence.
func TestRecordedApplies(t *testing.T) {
	cases, err := fixtures.Load(os.DirFS("../fixtures"), "ssa")
	if err != nil {
		t.Fatal(err)
	}
	applies := 0
	for _, c := range cases {
		var row []fixtures.Answer // since the last snapshot
		answers, snapshots := 0, 0
		for _, step := range c.Steps {
			switch step.Verb {
			case "run":
				row = append(row, c.Answers[answers])
				answers++
			case "rehearse", "try":
				answers++
			case "snapshot":
				snapshots++
				if len(row) > 0 {
					applies += len(row)
					after, applied := c.Files[fixtures.Numbered("live", ".yaml", snapshots)], row
					t.Run(fmt.Sprintf("%s/%d", c.Name(), answers), func(t *testing.T) { checkApplies(t, c, applied, after) })
				}
				row = nil
			}
		}
	}
	if applies < 20 {
		t.Errorf("only %d recorded applies were checked", applies)
	}
}

// checkApplies compares what applies leave with the live objects after them.
func checkApplies(t *testing.T, c *fixtures.Case, row []fixtures.Answer, after string) {
	a := row[0]
	a.Step.Args = slices.Clone(a.Step.Args[1:]) // without the command
	if a.Step.Has("--server-side") {
		a.Step.Args = append(a.Step.Args, "--migrate")
	}
	dir := t.TempDir()
	for i, next := range row[1:] {
		file := filepath.Join(dir, fmt.Sprintf("%d.yaml", i))
		if err := os.WriteFile(file, []byte(c.Files[next.Step.Config()[0]]), 0o644); err != nil {
			t.Fatal(err)
		}
		a.Step.Args = append(a.Step.Args, "--then="+file)
	}
	p := rehearse(t, c, a, false)
	live := manifest.ReadSnapshot(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(after)})
	if len(p.Outcomes) == 0 {
		t.Fatal("nothing is applied")
	}
	before := manifest.ReadSnapshot(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(a.Live)})
	for _, o := range p.Outcomes {
		want := live.Find(o.Identity())
		if want == nil || o.Action == merge.Rejected {
			t.Fatalf("%s: %s %+v", o.Identity(), o.Action, o.Rejection)
		}
		was := before.Find(o.Identity())
		text, err := json.Marshal(timeless(stableMetadata(&merge.Outcome{Result: stored(want.Tree), Live: was})))
		if err != nil {
			t.Fatal(err)
		}
		compareTrees(t, o.Identity().String(), timeless(stableMetadata(&merge.Outcome{Result: stored(o.Stored()), Live: was})), text)
	}
}

// stored leaves out what changes with every write and what a server draws.
func stored(obj tree.Object) tree.Object {
	obj = tree.CopyObject(obj)
	tree.Delete(obj, "metadata", "resourceVersion")
	if tree.String(obj, "kind") == "Service" {
		tree.Delete(obj, "spec", "clusterIP")
		tree.Delete(obj, "spec", "clusterIPs")
	}
	return obj
}
