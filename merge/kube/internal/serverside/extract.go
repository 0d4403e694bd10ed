package serverside

import (
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"threeway/merge/owners"
	"threeway/merge/tree"
)

// Extract returns the fields of a live object that a manager has applied, with
// their values. The object must have the manager's version (client-go
// util/managedfields/extract.go ExtractInto). The result is nil if the manager
// has applied nothing, or if that is unknown.
func (m *Manager) Extract(live tree.Object, manager string) tree.Object {
	for _, e := range tree.List(live, "metadata", "managedFields") {
		o := owners.ReadOwner(e)
		if o.Manager != manager || !o.Applies() || o.Subresource != "" || tree.String(e, "apiVersion") != m.Kind.APIVersion() {
			continue
		}
		fields, err := owners.Fields(e)
		if err != nil {
			return nil
		}
		t, err := m.Type(m.Kind.APIVersion())
		if err != nil {
			return nil
		}
		value, err := t.FromUnstructured(tree.WithoutManagedFields(live), typed.AllowDuplicates)
		if err != nil {
			return nil
		}
		applied, _ := value.ExtractItems(fields.Leaves(), typed.WithAppendKeyFields()).AsValue().Unstructured().(map[string]any)
		if applied == nil {
			return nil
		}
		applied = tree.CopyObject(applied)
		applied["apiVersion"], applied["kind"] = m.Kind.APIVersion(), m.Kind.Kind
		for _, key := range []string{"name", "namespace"} {
			if v := tree.String(live, "metadata", key); v != "" {
				tree.Set(applied, v, "metadata", key)
			}
		}
		return applied
	}
	return nil
}
