package serverside

import (
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"threeway/merge/owners"
	"threeway/merge/tree"
)

// Own is what a manager's apply makes of a live object, without what else the request
// changes: predicted, with the live values of all fields that the manager does not own
// in it (gitops-engine pkg/diff/diff.go removeWebhookMutation).
func (m *Manager) Own(predicted, live tree.Object, manager string) (tree.Object, error) {
	own := fieldpath.NewSet()
	for _, e := range tree.List(predicted, "metadata", "managedFields") {
		if owners.ReadOwner(e).Manager != manager {
			continue
		}
		fields, err := owners.Fields(e)
		if err != nil {
			return nil, err
		}
		own = own.Union(fields)
	}
	if own.Empty() {
		return nil, fmt.Errorf("no managed fields found for manager: %s", manager)
	}
	after, err := m.typed(predicted)
	if err != nil {
		return nil, err
	}
	before, err := m.typed(live)
	if err != nil {
		return nil, err
	}
	fields, err := after.ToFieldSet()
	if err != nil {
		return nil, err
	}
	others := withoutAncestors(fields.Difference(own), own)
	comparison, err := before.Compare(after)
	if err != nil {
		return nil, err
	}
	gone := comparison.Removed.Difference(others)
	merged, err := before.Merge(after.RemoveItems(withoutKeys(others)))
	if err != nil {
		return nil, err
	}
	result, ok := merged.RemoveItems(gone).AsValue().Unstructured().(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s is no object after the merge", ObjectName(predicted, m.Kind))
	}
	return result, nil
}

// withoutAncestors are paths without those below which a field is owned
// (excludeManagerOwnedAncestors).
func withoutAncestors(paths, owned *fieldpath.Set) *fieldpath.Set {
	left := fieldpath.NewSet()
	for path := range paths.All() {
		below := owned
		for _, step := range path {
			if below = below.WithPrefix(step); below.Empty() {
				break
			}
		}
		if below.Empty() {
			left.Insert(path.Copy())
		}
	}
	return left
}

// withoutKeys are paths without the fields that are one of several keys of a list item
// (filterOutCompositeKeyFields).
func withoutKeys(paths *fieldpath.Set) *fieldpath.Set {
	left := fieldpath.NewSet()
	for path := range paths.All() {
		last := path[len(path)-1].FieldName
		isKey := last != nil && slices.ContainsFunc(path[:len(path)-1], func(step fieldpath.PathElement) bool {
			if step.Key == nil || len(*step.Key) < 2 {
				return false
			}
			for _, key := range *step.Key {
				if key.Name == *last {
					return true
				}
			}
			return false
		})
		if !isKey {
			left.Insert(path.Copy())
		}
	}
	return left
}

// Trusted are two objects without the fields that both have with different values and
// that one of the managers owns in the live one. They stay as they are if they do not
// fit their type (argo-cd util/argo/managedfields Normalize).
func (m *Manager) Trusted(live, config tree.Object, managers []string) (tree.Object, tree.Object) {
	before, err := m.typed(live)
	if err != nil {
		return live, config
	}
	after, err := m.typed(config)
	if err != nil {
		return live, config
	}
	comparison, err := before.Compare(after)
	if err != nil {
		return live, config
	}
	for _, e := range tree.List(live, "metadata", "managedFields") {
		if !slices.Contains(managers, owners.ReadOwner(e).Manager) {
			continue
		}
		fields, err := owners.Fields(e)
		if err != nil {
			continue
		}
		if shared := fields.Intersection(comparison.Modified); !shared.Empty() {
			before, after = before.RemoveItems(shared), after.RemoveItems(shared)
		}
	}
	return object(before, live), object(after, config)
}

// object is the tree of a typed value, or another if it is none.
func object(v *typed.TypedValue, otherwise tree.Object) tree.Object {
	if o, ok := v.AsValue().Unstructured().(map[string]any); ok {
		return o
	}
	return otherwise
}
