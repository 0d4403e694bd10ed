package server_test

import (
	"testing"

	"threeway/merge/schema"
	"threeway/merge/server"
	"threeway/merge/server/custom"
	"threeway/merge/tree"
)

// TestUnknownFieldsOfRequests: what is sent as JSON is called unreadable, not an invalid
// patch, and a path is quoted as Go does. Asked of 1.37.2 by conformance-mutants.
func TestUnknownFieldsOfRequests(t *testing.T) {
	d, err := custom.Compile(tree.Object{"spec": tree.Object{
		"group": "example.com", "names": tree.Object{"kind": "Ship", "plural": "ships"},
		"versions": []any{tree.Object{"name": "v1", "served": true, "storage": true, "schema": tree.Object{"openAPIV3Schema": tree.Object{
			"type": "object", "properties": tree.Object{"spec": tree.Object{"type": "object", "properties": tree.Object{"crew": tree.Object{"type": "integer"}}}},
		}}}},
	}}, custom.Checks{Minor: 37})
	if err != nil {
		t.Fatal(err)
	}
	s := &server.Server{Minor: 37, Strict: true, Definition: func(schema.Kind) *custom.Definition { return d }}
	ship := func(spec tree.Object) tree.Object {
		return tree.Object{"apiVersion": "example.com/v1", "kind": "Ship", "metadata": tree.Object{"name": "a", "namespace": "default"}, "spec": spec}
	}
	want := `Ship in version "v1" cannot be handled as a Ship: strict decoding error: unknown field "spec.crewx"`
	if r := s.Update(schema.ParseKind("example.com/v1", "Ship"), ship(tree.Object{}), ship(tree.Object{"crewx": int64(1)})).Rejection; r == nil || r.Message.Unmasked() != want {
		t.Errorf("got %v, want %s", r, want)
	}
	claim := tree.Object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": tree.Object{"name": "a", "namespace": "default"}, `a\b`: "x"}
	want = `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "a\\b"`
	if r := s.Create(schema.ParseKind("v1", "ConfigMap"), claim).Rejection; r == nil || r.Message.Unmasked() != want {
		t.Errorf("got %v, want %s", r, want)
	}
}
