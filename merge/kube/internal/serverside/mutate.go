package serverside

import (
	"fmt"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"threeway/merge/tree"
)

// Merge merges the fields of a patch into an object of a type, as an
// ApplyConfiguration of a MutatingAdmissionPolicy does: nothing is removed, and what
// is owned as one piece cannot be in it. Neither argument is changed.
//
// Source: ApplyStructuredMergeDiff of
// k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch/smd.go.
func Merge(t Type, obj, patch tree.Object) (tree.Object, error) {
	changes, err := typedAs(t, patch)
	if err != nil {
		return nil, fmt.Errorf("failed to convert patch object to typed object: %w", err)
	}
	if pieces := atomics(nil, changes.Schema(), changes.TypeRef(), changes.AsValue()); len(pieces) > 0 {
		return nil, fmt.Errorf("invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: %v", strings.Join(pieces, ", "))
	}
	original, err := typedAs(t, obj, typed.AllowDuplicates)
	if err != nil {
		return nil, fmt.Errorf("failed to convert original object to typed object: %w", err)
	}
	merged, err := original.Merge(changes)
	if err != nil {
		return nil, fmt.Errorf("failed to merge patch: %w", err)
	}
	result, ok := merged.AsValue().Unstructured().(map[string]any)
	if !ok {
		return nil, fmt.Errorf("failed to convert typed object to object: %T", merged.AsValue().Unstructured())
	}
	return result, nil
}

// atomics are the paths of lists, maps and structs in a value that are owned as one
// piece (findAtomics).
func atomics(path []fieldpath.PathElement, s *schema.Schema, ref schema.TypeRef, v value.Value) (paths []string) {
	a, ok := s.Resolve(ref)
	if !ok {
		return nil
	}
	if v.IsMap() && a.Map != nil {
		if a.Map.ElementRelationship == schema.Atomic {
			paths = append(paths, pathText(path))
		}
		v.AsMap().Iterate(func(key string, val value.Value) bool {
			if field, ok := a.Map.FindField(key); ok {
				paths = append(paths, atomics(append(path, fieldpath.PathElement{FieldName: &key}), s, field.Type, val)...)
			}
			return true
		})
	}
	if v.IsList() && a.List != nil {
		if a.List.ElementRelationship == schema.Atomic {
			paths = append(paths, pathText(path))
		}
		for i := range v.AsList().Length() {
			paths = append(paths, atomics(append(path, fieldpath.PathElement{Index: &i}), s, a.List.ElementType, v.AsList().At(i))...)
		}
	}
	return paths
}

func pathText(path []fieldpath.PathElement) string {
	var b strings.Builder
	for _, p := range path {
		b.WriteString(p.String())
	}
	return b.String()
}
