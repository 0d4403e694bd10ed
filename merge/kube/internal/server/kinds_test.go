package server

import (
	"reflect"
	"testing"

	"threeway/merge/kube/schema"
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

// TestKindsAreValidated: each kind that a server serves by default has checks of its
// own, or stands here with the reason. A new minor's kinds are to be decided.
func TestKindsAreValidated(t *testing.T) {
	const newest = 37
	none := map[string]string{"SelfSubjectReview.authentication.k8s.io": "it has no fields to write"}
	for _, r := range schema.Resources() {
		if !r.In(newest) || !r.OnByDefault() {
			continue
		}
		row := kindOf(r.Kind)
		checked := !reflect.ValueOf(row.validation).IsZero() || row.check != nil || row.serves == reading
		if name := r.GroupKind(); checked == (none[name] != "") {
			t.Errorf("%s: validated %t, but said to have none because %q", name, checked, none[name])
		}
	}
}
