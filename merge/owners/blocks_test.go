package owners_test

import (
	"testing"

	"threeway/merge/fieldpath"
	"threeway/merge/owners"
)

// TestEmptyBlock: f:data: {} is a whole field, unless another entry owns something in it.
func TestEmptyBlock(t *testing.T) {
	entry := func(manager string, fields map[string]any) any {
		return map[string]any{"manager": manager, "operation": "Update", "fieldsV1": fields}
	}
	object := func(entries ...any) map[string]any {
		return map[string]any{"metadata": map[string]any{"managedFields": entries}}
	}
	block := map[string]any{"f:data": map[string]any{}, "f:metadata": map[string]any{"f:labels": map[string]any{}}}
	inside := map[string]any{"f:data": map[string]any{"f:k": map[string]any{}}}
	key, label := fieldpath.New("data", "k"), fieldpath.New("metadata", "labels", "app")
	if alone := owners.Read(object(entry("a", block)))[0]; !alone.Owns(key) || alone.Owns(label) {
		t.Errorf("alone: owns %v %v, %v %v", key, alone.Owns(key), label, alone.Owns(label))
	}
	two := owners.Read(object(entry("a", block), entry("b", inside)))
	if two[0].Owns(key) || !two[0].Owns(fieldpath.New("data")) || !two[1].Owns(key) {
		t.Error("an empty block owns what another entry has in it")
	}
	if n := len(two[0].Leaves()); n != 2 {
		t.Errorf("%d leaves, want the two blocks", n)
	}
}
