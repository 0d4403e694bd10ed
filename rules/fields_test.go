package rules

import (
	"testing"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// TestJSONPointer: a pointer is for a command that a user pastes, so that it
// must name what the path names, and nothing else.
func TestJSONPointer(t *testing.T) {
	obj := tree.Object{
		"metadata": tree.Object{"annotations": tree.Object{"example.com/a~b": "x", "it's": "y"}},
		"spec":     tree.Object{"containers": []any{tree.Object{"name": "side"}, tree.Object{"name": "web", "image": "nginx"}}},
	}
	containers := fieldpath.New("spec", "containers")
	for _, c := range []struct {
		path fieldpath.Path
		want string
	}{
		{containers, "/spec/containers"},
		{containers.Item(1).Child("image"), "/spec/containers/1/image"},
		{containers.Select(fieldpath.Key{Name: "name", Value: "web"}).Child("image"), "/spec/containers/1/image"},
		{containers.Select(fieldpath.Key{Name: "name", Value: "side"}), "/spec/containers/0"},
		{fieldpath.New("metadata", "annotations", "example.com/a~b"), "/metadata/annotations/example.com~1a~0b"},
		{fieldpath.New("metadata", "annotations", "it's"), "/metadata/annotations/it's"},
		{containers.Item(2), ""},
		{fieldpath.New("spec", "replicas"), ""},
	} {
		if got, ok := jsonPointer(obj, c.path); got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q %v, want %q", c.path, got, ok, c.want)
		}
	}
}
