package serverside

import (
	"errors"
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/merge"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"threeway/merge/tree"
)

// kubectl is the manager that kubectl applies server-side as. Only for this
// manager does the server use the last-applied annotation.
const kubectl = "kubectl"

// beforeFirstApply is the manager that owns all fields of an object without
// managedFields.
const beforeFirstApply = "before-first-apply"

// operation is the state of one apply or update.
type operation struct {
	*Manager
	live    tree.Object // without managedFields
	request Request
	owned   *managed
	self    owner
}

// apply returns the merged object and whether it differs from the live one. As
// in this whole file, conflicts are those of structured-merge-diff.
func (op *operation) apply(force bool) (tree.Object, bool, error) {
	if len(op.owned.fields) == 0 {
		if err := op.ownExisting(); err != nil {
			return nil, false, fmt.Errorf("failed to create manager for existing fields: %w", err)
		}
	}
	op.self = owner{Manager: op.request.Manager, Operation: applies}
	if claimsOwners(op.request.Manifest) {
		return nil, false, managedFieldsSet
	}
	config, err := op.typed(op.request.Manifest)
	if err != nil {
		return nil, false, typeError("patch", op.request.Manifest, op.Kind, err)
	}
	live, err := op.typed(op.live, typed.AllowDuplicates)
	if err != nil {
		return nil, false, typeError("live", op.live, op.Kind, err)
	}
	self, version := op.self.key(), fieldpath.APIVersion(op.Kind.APIVersion())
	merged, fields, err := op.updater().Apply(live, config, version, op.owned.fields, self, force)
	if err != nil {
		return nil, false, err
	}
	op.owned.fields = fields
	op.owned.owners[self] = op.self
	op.owned.strip(self)
	if merged == nil {
		return op.live, false, nil
	}
	obj, ok := merged.AsValue().Unstructured().(map[string]any)
	if !ok {
		return nil, false, fmt.Errorf("failed to convert new typed object (%s) to object", ObjectName(op.request.Manifest, op.Kind))
	}
	return obj, true, nil
}

// ownExisting makes beforeFirstApply the owner of the existing fields
// (apimachinery pkg/util/managedfields/internal/skipnonapplied.go).
func (op *operation) ownExisting() error {
	empty := tree.Object{"apiVersion": op.live["apiVersion"], "kind": op.live["kind"]}
	blank, err := op.Convert(empty, op.Kind.APIVersion())
	if err != nil {
		return err
	}
	update := &operation{Manager: op.Manager, live: blank, request: op.request, owned: op.owned}
	_, err = update.update(op.live, beforeFirstApply)
	return err
}

// applyOrTakeOver applies as requested. kubectl may take over a field that it
// set client-side before and that still has that value (apimachinery
// pkg/util/managedfields/internal/lastappliedmanager.go).
func (op *operation) applyOrTakeOver() (tree.Object, bool, error) {
	obj, changed, err := op.apply(op.request.Force)
	var conflicts merge.Conflicts
	if !errors.As(err, &conflicts) {
		return obj, changed, err
	}
	if op.request.Manager == kubectl {
		if ours := op.stillAsLastApplied(); ours != nil {
			if conflicts = outside(conflicts, ours); len(conflicts) == 0 {
				return op.apply(true)
			}
		}
	}
	return nil, false, op.owned.named(conflicts)
}

// claimsOwners reports whether a manifest has managedFields, as far as the server
// reads them: a list with an item that is no object counts as none
// (apimachinery pkg/apis/meta/v1/unstructured GetManagedFields).
func claimsOwners(config tree.Object) bool {
	value, _ := tree.Get(config, "metadata", "managedFields")
	entries, isList := value.([]any)
	return isList && !slices.ContainsFunc(entries, func(e any) bool { return tree.Map(e) == nil })
}

func outside(conflicts merge.Conflicts, set *fieldpath.Set) merge.Conflicts {
	var left merge.Conflicts
	for _, c := range conflicts {
		if !set.Has(c.Path) {
			left = append(left, c)
		}
	}
	return left
}

// strip removes from an owner the fields that cannot be owned (apimachinery
// pkg/util/managedfields/internal/stripmeta.go).
func (m *managed) strip(key string) {
	set, ok := m.fields[key]
	if !ok {
		return
	}
	left := set.Set().Difference(noFields())
	if left.Empty() {
		delete(m.fields, key)
		return
	}
	m.fields[key] = fieldpath.NewVersionedSet(left, set.APIVersion(), set.Applied())
}

func noFields() *fieldpath.Set {
	set := fieldpath.NewSet(fieldpath.MakePathOrDie("apiVersion"), fieldpath.MakePathOrDie("kind"), fieldpath.MakePathOrDie("metadata"))
	for _, field := range []string{"name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation", "managedFields", "resourceVersion"} {
		set.Insert(fieldpath.MakePathOrDie("metadata", field))
	}
	return set
}

// typed returns an object of the manager's version with its type.
func (m *Manager) typed(obj tree.Object, opts ...typed.ValidationOptions) (*typed.TypedValue, error) {
	t, err := m.Type(m.Kind.APIVersion())
	if err != nil {
		return nil, err
	}
	return m.as(t, obj, opts...)
}

// as returns an object as a value of a type.
func (m *Manager) as(t Type, obj tree.Object, opts ...typed.ValidationOptions) (*typed.TypedValue, error) {
	if m.EachKey {
		return typedByEachKey(t, obj, opts...)
	}
	return typedAs(t, obj, opts...)
}

// typedAs returns an object as a value of a type.
func typedAs(t Type, obj tree.Object, opts ...typed.ValidationOptions) (*typed.TypedValue, error) {
	inOrder := func() (*typed.TypedValue, error) {
		return typed.AsTyped(sorted{value.NewValueInterface(obj)}, t.Schema, t.TypeRef, opts...)
	}
	if wide(obj) {
		return inOrder()
	}
	v, err := t.FromUnstructured(obj, opts...)
	if err == nil {
		return v, nil
	}
	// structured-merge-diff visits the fields of an object in random order. The
	// same object must always give the same message.
	_, err = inOrder()
	return nil, err
}
