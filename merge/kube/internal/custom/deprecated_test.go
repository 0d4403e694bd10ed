package custom

import (
	"testing"

	"threeway/merge/tree"
)

func TestDeprecation(t *testing.T) {
	version := func(name string, extra tree.Object) tree.Object {
		v := tree.Object{"name": name, "served": true, "storage": name == "v1"}
		for key, x := range extra {
			v[key] = x
		}
		return v
	}
	d, err := Compile(tree.Object{"apiVersion": "apiextensions.k8s.io/v1", "spec": tree.Object{
		"group": "x.example.com", "names": tree.Object{"kind": "Foo", "plural": "foos"},
		"versions": []any{
			version("v1alpha1", tree.Object{"deprecated": true}),
			version("v1beta1", tree.Object{"deprecated": true, "deprecationWarning": "go away"}),
			version("v1", nil),
			version("v2beta1", nil),
			version("v3", tree.Object{"deprecated": true}),
		},
	}}, Checks{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"v1alpha1": "x.example.com/v1alpha1 Foo is deprecated; use x.example.com/v1 Foo",
		"v1beta1":  "go away",
		"v1":       "",
		"v3":       "x.example.com/v3 Foo is deprecated",
		"v4":       "",
	} {
		if got := d.Deprecation(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
