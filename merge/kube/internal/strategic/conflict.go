package strategic

import (
	"fmt"

	"sigs.k8s.io/yaml"

	"threeway/merge/fault"
	"threeway/merge/tree"
)

// ConflictError is kubectl's error with --overwrite=false: the patch changes
// something that was changed in the cluster since the last apply.
type ConflictError struct{ Patch, Changed tree.Object }

func (e *ConflictError) Error() string {
	return fmt.Sprintf("patch:\n%s\nconflicts with changes made from original to current:\n%s\n", yamlOf(e.Patch), yamlOf(e.Changed))
}

// FaultText returns the text of the error, which quotes both patches.
func (e *ConflictError) FaultText() fault.Text {
	return fault.Quote(e.Error, "the patch conflicts with changes made from original to current")
}

func yamlOf(v any) string {
	b, err := yaml.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// checkConflict compares the patch with the changes from lastApplied to live.
// It sorts lists of scalars in all of them.
func checkConflict(lastApplied, live, patch tree.Object, at spot, d differ) error {
	d.setOrder = false
	diff := [...]half{{from: lastApplied}}
	if err := d.maps(diff[:], live, at, false); err != nil {
		return err
	}
	changed := diff[0].patch
	if changed == nil {
		changed = tree.Object{}
	}
	conflict, err := mapsConflict(patch, changed, at, false)
	if err != nil {
		return err
	}
	if conflict {
		return &ConflictError{patch, changed}
	}
	return nil
}

// mapsConflict reports whether two patches of the same map differ in any common
// field.
func mapsConflict(left, right tree.Object, at spot, replace bool) (bool, error) {
	l, inLeft := left[patchKey]
	r, inRight := right[patchKey]
	if inLeft != inRight || !same(l, r) {
		return true, nil
	}
	if replace {
		return false, nil
	}
	for _, f := range sorted(left, nil) {
		r, ok := right[f.key]
		if !ok || f.key == patchKey || f.key == retainKeysKey {
			continue
		}
		if conflict, err := fieldsConflict(f.key, f.value, r, at); conflict || err != nil {
			return true, err
		}
	}
	return false, nil
}

func fieldsConflict(key string, l, r any, at spot) (bool, error) {
	switch l := l.(type) {
	case map[string]any:
		f, at, err := at.field(key)
		if err != nil {
			return true, err
		}
		r, ok := r.(map[string]any)
		if !ok {
			return true, nil
		}
		return mapsConflict(l, r, at, f.Replace)
	case []any:
		f, at, err := at.list(key)
		if err != nil {
			return true, err
		}
		r, ok := r.([]any)
		if !ok {
			return true, nil
		}
		maps, err := elementsAreMaps(l, r)
		switch {
		case err != nil:
			return true, err
		case maps && f.Merge:
			return itemsConflict(l, r, f.MergeKey, at)
		case f.Merge:
			return false, nil
		case len(l) != len(r):
			return true, nil
		case maps:
			return mapListsConflict(l, r, at)
		}
		return scalarsConflict(l, r), nil
	}
	return !tree.Equal(l, r), nil
}

// scalarsConflict reports whether two lists of equal length differ as sets. It
// leaves them sorted, which the patch and the text of a conflict then show.
func scalarsConflict(left, right []any) bool {
	left, right = sortedScalars(distinct(left)), sortedScalars(distinct(right))
	for i := range left {
		if i == len(right) {
			panic(repetition)
		}
		if !same(left[i], right[i]) {
			return true
		}
	}
	return false
}

// mapListsConflict compares lists of equal length item by item.
func mapListsConflict(left, right []any, at spot) (bool, error) {
	for i := range left {
		if conflict, err := mapsConflict(left[i].(map[string]any), right[i].(map[string]any), at, false); conflict || err != nil {
			return true, err
		}
	}
	return false, nil
}

// itemsConflict compares the items that both lists have; of items with equal
// keys, the last one.
func itemsConflict(left, right []any, mergeKey string, at spot) (bool, error) {
	l, err := byKey(left, mergeKey)
	if err != nil {
		return true, err
	}
	r, err := byKey(right, mergeKey)
	if err != nil {
		return true, err
	}
	for _, item := range sorted(l, nil) {
		if other, ok := r[item.key]; ok {
			if conflict, err := mapsConflict(item.value.(map[string]any), other.(map[string]any), at, false); conflict || err != nil {
				return true, err
			}
		}
	}
	return false, nil
}

func byKey(list []any, mergeKey string) (tree.Object, error) {
	found := make(tree.Object, len(list))
	for _, v := range list {
		k, ok := v.(map[string]any)[mergeKey]
		if !ok {
			return nil, fault.Errorf("cannot find merge key `%s` in merging list element:%v", mergeKey, fault.Value(v))
		}
		found[fmt.Sprintf("%s", k)] = v
	}
	return found, nil
}
