package command

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"threeway/fixtures"
	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/tree"
)

// TestAligned holds the four versions of every object of the stories against the
// objects themselves: no value is lost, none is elsewhere, and changes and
// owners are where they belong.
func TestAligned(t *testing.T) {
	cases, err := fixtures.Load(os.DirFS("../fixtures"), ".")
	if err != nil {
		t.Fatal(err)
	}
	fields, owners := 0, 0
	for _, c := range cases {
		for i, a := range c.Answers {
			if a.Step.Verb == "run" || a.Want.Kubectl == "" {
				continue
			}
			for _, o := range rehearse(t, c, a, false).Outcomes {
				aligned := o.Aligned()
				fields += len(aligned.Fields)
				name := fmt.Sprintf("%s/%d: %s", c.Name(), i+1, o.Identity())
				checkVersion(t, name+" config", o.Config.Tree, aligned, func(f merge.Field) merge.Version { return f.Config })
				checkVersion(t, name+" live", o.Before, aligned, func(f merge.Field) merge.Version { return f.Live })
				checkVersion(t, name+" result", o.Result, aligned, func(f merge.Field) merge.Version { return f.Result })
				checkChanges(t, name, o, aligned)
				owners += checkOwners(t, name, o, aligned)
			}
		}
	}
	if fields < 10000 || owners < 3000 {
		t.Errorf("only %d fields and %d owners were checked", fields, owners)
	}
}

// checkVersion wants every scalar of an object once among the fields.
func checkVersion(t *testing.T, name string, object tree.Object, aligned merge.Aligned, version func(merge.Field) merge.Version) {
	t.Helper()
	shown := 0
	for _, f := range aligned.Fields {
		v := version(f)
		if have, ok := f.Path.Find(object); ok != v.There || !tree.Equal(have, v.Value) {
			t.Errorf("%s: %s is %v, %v in the object", name, f.Path, v.Value, have)
		}
		if !v.Parts {
			shown += scalars(v.Value)
		}
	}
	object = tree.CopyObject(object)
	for _, p := range []fieldpath.Path{
		fieldpath.New("apiVersion"), fieldpath.New("kind"), fieldpath.New("status"), fieldpath.New("metadata", "annotations", merge.LastAppliedKey),
		fieldpath.New("metadata", "managedFields"), fieldpath.New("metadata", "resourceVersion"), fieldpath.New("metadata", "uid"), fieldpath.New("metadata", "generation"),
		fieldpath.New("metadata", "creationTimestamp"), fieldpath.New("metadata", "deletionTimestamp"), fieldpath.New("metadata", "deletionGracePeriodSeconds"), fieldpath.New("metadata", "selfLink"),
	} {
		object = tree.Map(p.Without(object))
	}
	if n := scalars(object); n != shown {
		t.Errorf("%s: %d scalars are shown of %d", name, shown, n)
	}
}

func scalars(v any) (n int) {
	switch v := v.(type) {
	case nil:
		return 0
	case map[string]any:
		for _, x := range v {
			n += scalars(x)
		}
		return n
	case []any:
		for _, x := range v {
			n += scalars(x)
		}
		return n
	}
	return 1
}

// checkChanges wants the two values of a change at its path, unless the path
// means an item of a list that has the name twice.
func checkChanges(t *testing.T, name string, o *merge.Outcome, aligned merge.Aligned) {
	t.Helper()
	for _, c := range o.Changes() {
		i := slices.IndexFunc(aligned.Fields, func(f merge.Field) bool { return f.Path.Equal(c.Path) })
		if i < 0 {
			if c.Reason != merge.Dropped && c.Reason != merge.Conflict && !slices.ContainsFunc(c.Path, func(s fieldpath.Step) bool { return s.Keys != nil }) {
				t.Errorf("%s: %s %s has no field", name, c.Reason, c.Path)
			}
			continue
		}
		f := aligned.Fields[i]
		if c.Reason != merge.Conflict && (f.Live.There != c.InOld || f.Result.There != c.InNew || !tree.Equal(f.Live.Value, c.Old) || !tree.Equal(f.Result.Value, c.New)) {
			t.Errorf("%s: %s is %v → %v, but %s from %v to %v", name, c.Path, f.Live.Value, f.Result.Value, c.Reason, c.Old, c.New)
		}
	}
}

// checkOwners wants every owner of a field at the field.
func checkOwners(t *testing.T, name string, o *merge.Outcome, aligned merge.Aligned) (n int) {
	t.Helper()
	for _, owned := range owners.Of(o.Before, nil) {
		for _, f := range aligned.Fields {
			if len(f.Path) != len(owned.Path) || !f.Path.Holds(owned.Path) || !f.Live.There {
				continue
			}
			for _, want := range owned.Owners {
				n++
				if !slices.ContainsFunc(f.Owners, func(i int) bool { return aligned.Owners[i] == want }) {
					t.Errorf("%s: %s has owners %v, not %v", name, f.Path, f.Owners, want)
				}
			}
		}
	}
	return n
}
