package serverside

import (
	"testing"

	smd "sigs.k8s.io/structured-merge-diff/v6/schema"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// TestConvertedFaults: what does not fit the version that an object is converted to is
// always told in the same order; structured-merge-diff walks maps in a random one.
func TestConvertedFaults(t *testing.T) {
	strict := newType([]smd.TypeDef{{Name: "inner", Atom: smd.Atom{Map: &smd.Map{}}}}, smd.TypeRef{Inlined: smd.Atom{Map: &smd.Map{Fields: []smd.StructField{
		{Name: "apiVersion", Type: named(deducedName)}, {Name: "a", Type: named("inner")}, {Name: "b", Type: named("inner")},
	}}}})
	m := &Manager{Kind: schema.ParseKind("example.com/v1", "Widget"), Type: func(string) (Type, error) { return strict, nil },
		Convert: func(obj tree.Object, _ string) (tree.Object, error) { return obj, nil }}
	inner := func() tree.Object { return tree.Object{"x": "1"} }
	obj := tree.Object{"apiVersion": "example.com/v1", "a": inner(), "b": inner(), "c": "1"}
	loose := Deduced()
	v, err := loose.FromUnstructured(obj)
	if err != nil {
		t.Fatal(err)
	}
	const want = "errors:\n  .a.x: field not declared in schema\n  .b.x: field not declared in schema\n  .c: field not declared in schema"
	for range 50 {
		if _, err := (converter{m}).Convert(v, "example.com/v2"); err == nil || err.Error() != want {
			t.Fatalf("got %v, want %s", err, want)
		}
	}
}
