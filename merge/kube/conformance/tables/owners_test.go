package tables

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	gvk "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/managedfields/managedfieldstest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"threeway/merge/kube/internal/serverside"
	"threeway/merge/kube/schema"
	"threeway/merge/owners"
	"threeway/merge/tree"
)

// managers are the tables of field management.
var managers = Harvest{
	Package:   "k8s.io/apimachinery/pkg/util/managedfields/internal",
	Callers:   []string{"k8s.io/apimachinery/pkg/util/managedfields"},
	Published: true,
	Functions: []string{"FieldManager.Apply", "FieldManager.Update"},
	Imports:   `threewayobject "k8s.io/apimachinery/pkg/runtime"`,
	Encode:    "case threewayobject.Object:\n\t\treturn v",
}

// fieldSets are the fields of entries among these tables.
var fieldSets = Harvest{
	Package:   managers.Package,
	Callers:   managers.Callers,
	Published: true,
	Functions: []string{"FieldsToSet"},
	Imports:   `threewaymeta "k8s.io/apimachinery/pkg/apis/meta/v1"`,
	Encode:    "case threewaymeta.FieldsV1:\n\t\treturn v.GetRawString()",
}

// writing is one write to an object: an apply, or an update.
type writing struct {
	kind      schema.Kind
	typ       serverside.Type
	live, obj tree.Object
	manager   string
	applies   bool
	force     bool
}

// written is what a writing leads to: the object with its managedFields, or an
// error.
type written struct{ object, err string }

func (w written) String() string { return w.object + "\n\t" + w.err }

// TypedToObject and ObjectToTyped make the type upstream's converter.
func (w writing) TypedToObject(v *typed.TypedValue) (runtime.Object, error) {
	obj, ok := v.AsValue().Unstructured().(map[string]any)
	if !ok {
		return nil, fmt.Errorf("no object: %v", v.AsValue())
	}
	return &unstructured.Unstructured{Object: obj}, nil
}

// ObjectToTyped is as for TypedToObject.
func (w writing) ObjectToTyped(obj runtime.Object, opts ...typed.ValidationOptions) (*typed.TypedValue, error) {
	return w.typ.FromUnstructured(obj.(*unstructured.Unstructured).Object, opts...)
}

var _ managedfields.TypeConverter = writing{}

// upstream gives the writing to the field manager that the API server runs.
func (w writing) upstream() written {
	f := managedfieldstest.NewFakeFieldManager(w, gvk.GroupVersionKind{Group: w.kind.Group, Version: w.kind.Version, Kind: w.kind.Kind})
	live, obj := &unstructured.Unstructured{Object: tree.CopyObject(w.live)}, &unstructured.Unstructured{Object: tree.CopyObject(w.obj)}
	if !w.applies {
		out, err := f.Update(live, obj, w.manager)
		if err != nil { // as UpdateNoErrors, without its log
			obj.SetManagedFields(nil)
			return as(obj.Object, nil)
		}
		return as(out.(*unstructured.Unstructured).Object, nil)
	}
	out, err := f.Apply(live, obj, w.manager, w.force)
	if err != nil {
		return as(nil, err)
	}
	return as(out.(*unstructured.Unstructured).Object, nil)
}

// ours gives it to ours.
func (w writing) ours() written {
	m := &serverside.Manager{
		Kind:    w.kind,
		Type:    func(string) (serverside.Type, error) { return w.typ, nil },
		Convert: func(obj tree.Object, _ string) (tree.Object, error) { return obj, nil },
		Reset:   func(string) []string { return nil },
	}
	live, obj := tree.CopyObject(w.live), tree.CopyObject(w.obj)
	if !w.applies {
		entries := m.Update(live, obj, tree.String(live, "metadata", "uid") == "", w.manager, "")
		serverside.SetEntries(obj, entries)
		return as(obj, nil)
	}
	out, entries, err := m.Apply(live, serverside.Request{Manifest: obj, Manager: w.manager, Force: w.force})
	if err != nil {
		return as(nil, err)
	}
	out = tree.CopyObject(out)
	serverside.SetEntries(out, entries)
	return as(out, nil)
}

// as is an outcome as text: no times, nothing for an empty metadata, and the
// lines of an error sorted, for upstream meets fields in random order.
func as(obj tree.Object, err error) written {
	if err != nil {
		lines := strings.Split(err.Error(), "\n")
		slices.Sort(lines)
		return written{err: strings.Join(lines, "\n\t")}
	}
	entries := tree.List(obj, "metadata", "managedFields")
	for _, e := range entries {
		delete(tree.Map(e), "time")
	}
	slices.SortFunc(entries, func(a, b any) int { return strings.Compare(text(tree.Map(a)), text(tree.Map(b))) })
	if len(tree.Map(obj, "metadata")) == 0 {
		delete(obj, "metadata")
	}
	return written{object: text(obj)}
}

// writings count writings, the equal ones, and among these the refused ones.
type writings struct{ cases, equal, refused, excepted int }

func (n *writings) compare(t *testing.T, c Call, w writing) {
	n.cases++
	got, want := w.ours(), w.upstream()
	for i := 0; i < tries && want.err != "" && got != want; i++ { // which of several errors is random
		want = w.upstream()
	}
	switch {
	case got == want:
		n.equal++
		if want.err != "" {
			n.refused++
		}
	case exceptions[c.String()] != "":
		n.excepted++
	default:
		t.Errorf("%s %s by %s, force %v\nlive %.3000s\nobject %.3000s\nours\n\t%v\nupstream\n\t%v", c, c.Func, w.manager, w.force, text(w.live), text(w.obj), got, want)
	}
}

func (n writings) String() string {
	return fmt.Sprintf("%d cases, %d equal (%d of them refused), %d different, %d excepted", n.cases, n.equal, n.refused, n.cases-n.equal-n.excepted, n.excepted)
}

// TestManagedFields gives the applies and updates of upstream's own tests to its
// field manager and to ours: with the type of the built-in kind, and without a
// schema.
func TestManagedFields(t *testing.T) {
	var builtin, deduced writings
	skipped := 0
	for _, c := range managers.Calls(t) {
		w := writing{live: object(c.Args[0]), obj: object(c.Args[1]), applies: c.Func == "Apply"}
		if w.live == nil || w.obj == nil || json.Unmarshal(c.Args[2], &w.manager) != nil || w.applies && json.Unmarshal(c.Args[3], &w.force) != nil {
			skipped++
			continue
		}
		w.kind = schema.ParseKind(tree.String(w.live, "apiVersion"), tree.String(w.live, "kind"))
		w.typ = serverside.Deduced()
		deduced.compare(t, c, w)
		if fields := schema.Lookup(w.kind); fields != nil {
			w.typ = serverside.Builtin(fields, minor)
			builtin.compare(t, c, w)
		}
	}
	t.Logf("with a schema: %v", builtin)
	t.Logf("without: %v", deduced)
	t.Logf("%d calls with what is no object", skipped)
}

// TestFieldSets reads the fields of entries, and writes them again.
func TestFieldSets(t *testing.T) {
	seen := map[string]bool{}
	cases, equal, refused := 0, 0, 0
	for _, c := range fieldSets.Calls(t) {
		var raw string
		if json.Unmarshal(c.Args[0], &raw) != nil || seen[raw] {
			continue
		}
		seen[raw] = true
		fields := object([]byte(raw))
		if fields == nil {
			continue // ours reads what is in an object
		}
		cases++
		want := fieldpath.NewSet()
		err := want.FromJSON(strings.NewReader(raw))
		got, ourErr := owners.Fields(tree.Object{"fieldsV1": fields})
		switch {
		case err != nil && ourErr != nil:
			refused++
			equal++
			continue
		case err != nil || ourErr != nil || !got.Equals(want):
			t.Errorf("%s %s\nours %v %v\nupstream %v %v", c, raw, got, ourErr, want, err)
			continue
		}
		written, err := want.ToJSON()
		ours, ourErr := owners.FieldsV1(got)
		if err != nil || ourErr != nil || !tree.Equal(ours, object(written)) {
			t.Errorf("%s %s\nours %v %v\nupstream %s %v", c, raw, ours, ourErr, written, err)
			continue
		}
		equal++
	}
	t.Logf("%d sets of fields, %d equal, %d of them refused", cases, equal, refused)
}
