package rules

import (
	"encoding/json"
	"testing"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// TestPatchRemoval: a patch is for a command that a user pastes, so that it must
// remove what the path names, and nothing else: of an item in another place nothing.
func TestPatchRemoval(t *testing.T) {
	obj := tree.Object{
		"metadata": tree.Object{"annotations": tree.Object{"example.com/a~b": "x", "it's": "y"}, "finalizers": []any{"a", "b"}},
		"spec":     tree.Object{"containers": []any{tree.Object{"name": "side"}, tree.Object{"name": "web", "image": "nginx"}}},
	}
	containers := fieldpath.New("spec", "containers")
	for _, c := range []struct {
		path fieldpath.Path
		want string
	}{
		{containers, `[{"op":"remove","path":"/spec/containers"}]`},
		{containers.Item(1).Child("image"), `[{"op":"remove","path":"/spec/containers/1/image"}]`},
		{containers.Select(fieldpath.Key{Name: "name", Value: "web"}).Child("image"),
			`[{"op":"test","path":"/spec/containers/1/name","value":"web"},{"op":"remove","path":"/spec/containers/1/image"}]`},
		{containers.Select(fieldpath.Key{Name: "name", Value: "side"}),
			`[{"op":"test","path":"/spec/containers/0/name","value":"side"},{"op":"remove","path":"/spec/containers/0"}]`},
		{fieldpath.New("metadata", "finalizers").Select(fieldpath.Key{Value: "b"}),
			`[{"op":"test","path":"/metadata/finalizers/1","value":"b"},{"op":"remove","path":"/metadata/finalizers/1"}]`},
		{fieldpath.New("metadata", "annotations", "example.com/a~b"), `[{"op":"remove","path":"/metadata/annotations/example.com~1a~0b"}]`},
		{fieldpath.New("metadata", "annotations", "it's"), `[{"op":"remove","path":"/metadata/annotations/it's"}]`},
		{containers.Item(2), ""},
		{fieldpath.New("spec", "replicas"), ""},
	} {
		ops, ok := patchRemoval(obj, c.path)
		got, err := json.Marshal(ops)
		if err != nil {
			t.Fatal(err)
		}
		if ok != (c.want != "") || ok && string(got) != c.want {
			t.Errorf("%s: %s %v, want %s", c.path, got, ok, c.want)
		}
	}
}
