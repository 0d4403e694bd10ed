package server

import (
	"testing"

	"threeway/merge/schema"
)

// TestKinds keeps the table from naming a kind twice, or one that no server
// has ever had.
func TestKinds(t *testing.T) {
	served := map[string]bool{"Ingress.extensions": true} // until 1.21
	for _, r := range schema.Resources() {
		served[r.GroupKind()] = true
	}
	for _, row := range kinds {
		if !served[row.name] {
			t.Errorf("no server serves %s, or it has two rows", row.name)
		}
		delete(served, row.name)
	}
}
