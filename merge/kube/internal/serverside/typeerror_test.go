package serverside

import (
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// TestTypeFaults: each error about a manifest that does not fit its schema is a
// fault at the field it names, and shows no value unless it is asked to.
func TestTypeFaults(t *testing.T) {
	obj := tree.Object{"apiVersion": "v1", "kind": "Service", "spec": tree.Object{"selector": "hunter2", "ports": []any{
		tree.Object{"port": int64(53), "protocol": "UDP"},
		tree.Object{"port": int64(53), "a.b/c": "x"},
	}}}
	err := typeError("patch", obj, schema.Kind{Version: "v1", Kind: "Service"}, typed.ValidationErrors{
		{Path: `.spec.ports[port=53,protocol="TCP"].a.b/c`, ErrorMessage: "field not declared in schema"},
		{Path: ".spec.ports", ErrorMessage: `element 0: associative list with keys has an element that omits key field "port"`},
		{Path: ".spec.ports", ErrorMessage: `duplicate entries for key [port=53,protocol="TCP"]`},
		{Path: ".spec.selector", ErrorMessage: "expected map, got &{hunter2}"},
	}).(*TypeError)
	var got []string
	for _, f := range err.Faults {
		got = append(got, string(f.Code)+" "+f.Path.String())
	}
	want := []string{"unknown-field spec.ports[port=53,protocol=TCP][a.b/c]", "bad-value spec.ports", "duplicate-key spec.ports", "bad-value spec.selector"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if item := err.Faults[2].Item.String(); item != "[port=53,protocol=TCP]" {
		t.Errorf("item %s", item)
	}
	if text := err.Error(); !strings.HasSuffix(text, "  .spec.selector: expected map, got &{hunter2}") {
		t.Errorf("text %q", text)
	}
	if text := err.FaultText().String(); !strings.HasSuffix(text, "  .spec.selector: expected map") {
		t.Errorf("masked text %q", text)
	}
}
