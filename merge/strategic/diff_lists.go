package strategic

import (
	"slices"

	"threeway/merge/tree"
)

// listDiff is the patch of one merging list.
type listDiff struct {
	items     []any // added and changed items, then delete directives
	deletions []any // of scalars, for $deleteFromPrimitiveList
	order     []any // for $setElementOrder
}

// diffLists returns the patch that turns from into to, lists whose elements
// merge: maps by mergeKey, scalars by value.
func diffLists(from, to []any, at spot, mergeKey string, o options) (listDiff, error) {
	if len(from) == 0 {
		if len(to) == 0 || o.ignoreChanges {
			return listDiff{}, nil
		}
		return listDiff{items: tree.Copy(to).([]any)}, nil
	}
	maps, err := elementsAreMaps(from, to)
	if err != nil {
		return listDiff{}, err
	}
	if maps {
		return diffMapLists(from, to, at, mergeKey, o)
	}
	return diffScalarLists(from, to, o)
}

func diffMapLists(from, to []any, at spot, mergeKey string, o options) (listDiff, error) {
	var d listDiff
	items, deletions, err := diffItems(from, to, at, mergeKey, o)
	if err != nil {
		return d, err
	}
	inOrder := sameOrder(from, to, mergeKey)
	d.items = append(sortByOrder(items, to, mergeKey), deletions...)
	changed := len(d.items) > 0
	if o.setOrder && (!o.ignoreChanges && (changed || !inOrder) || !o.ignoreDeletions && changed) {
		d.order = make([]any, len(to))
		for i, v := range to {
			d.order[i] = tree.Object{mergeKey: v.(map[string]any)[mergeKey]}
		}
	}
	return d, nil
}

// diffItems walks both lists in the order of their merge keys' text. Items of
// equal key pair off one by one, so that duplicates pair by position.
func diffItems(from, to []any, at spot, mergeKey string, o options) (items, deletions []any, err error) {
	var room [2][few]keyed
	have, want := sortedByKey(from, mergeKey, room[0][:0]), sortedByKey(to, mergeKey, room[1][:0])
	for len(have) > 0 || len(want) > 0 {
		switch {
		// A missing merge key is an error when its item comes up, not before.
		case len(have) > 0 && !have[0].found:
			return nil, nil, noMergeKey(have[0].item, mergeKey)
		case len(want) > 0 && !want[0].found:
			return nil, nil, noMergeKey(want[0].item, mergeKey)
		case len(have) > 0 && len(want) > 0 && have[0].key == want[0].key:
			sub, err := diffMaps(have[0].item, want[0].item, at, o)
			if err != nil {
				return nil, nil, err
			}
			if sub != nil {
				sub[mergeKey] = want[0].item[mergeKey]
				items = append(items, sub)
			}
			have, want = have[1:], want[1:]
		case len(have) == 0 || len(want) > 0 && have[0].key > want[0].key:
			if !o.ignoreChanges {
				items = append(items, tree.CopyObject(want[0].item))
			}
			want = want[1:]
		default:
			if !o.ignoreDeletions {
				deletions = append(deletions, tree.Object{mergeKey: have[0].item[mergeKey], patchKey: deleteValue})
			}
			have = have[1:]
		}
	}
	return items, deletions, nil
}

// keyed is a list item and the text of its merge key.
type keyed struct {
	key   string
	item  tree.Object
	found bool // it has the key
}

// sortedByKey sorts maps into items, which is empty.
func sortedByKey(maps []any, mergeKey string, items []keyed) []keyed {
	for _, v := range maps {
		m := v.(map[string]any)
		k, ok := m[mergeKey]
		items = append(items, keyed{text(k), m, ok})
	}
	// Not a stable sort, and equal keys count as less: duplicates must come
	// out as upstream's sort leaves them.
	slices.SortFunc(items, func(a, b keyed) int { return lessOrEqual(a.key, b.key) })
	return items
}

// lessOrEqual is a comparison for sorting by which equals are less.
func lessOrEqual(a, b string) int {
	if a <= b {
		return -1
	}
	return 1
}

// diffScalarLists compares lists of scalars as bags of texts.
func diffScalarLists(from, to []any, o options) (listDiff, error) {
	var d listDiff
	// Upstream sorts from in place. So an unsorted list in config always
	// differs from it, and conflicts show it sorted.
	have, want := from, sortedScalars(slices.Clone(to))
	if !o.inPlace {
		have = slices.Clone(from)
	}
	sortedScalars(have)
	i, j := 0, 0
	for i < len(have) || j < len(want) {
		switch {
		case i < len(have) && j < len(want) && text(have[i]) == text(want[j]):
			i++
			j++
		case i == len(have) || j < len(want) && text(have[i]) > text(want[j]):
			if !o.ignoreChanges {
				d.items = append(d.items, want[j])
			}
			j++
		default:
			if !o.ignoreDeletions {
				d.deletions = append(d.deletions, have[i])
			}
			i++
		}
	}
	d.deletions = distinct(d.deletions)
	d.items = sortByOrder(d.items, to, "")
	if o.setOrder && (!o.ignoreDeletions && len(d.deletions) > 0 || !o.ignoreChanges && !tree.Equal(have, to)) {
		d.order = slices.Clone(to)
	}
	return d, nil
}

// sortedScalars sorts a list by its items' texts in place.
func sortedScalars(list []any) []any {
	slices.SortFunc(list, func(a, b any) int { return lessOrEqual(text(a), text(b)) })
	return list
}

// sameOrder reports whether both lists of maps hold the same merge keys in the
// same order.
func sameOrder(from, to []any, mergeKey string) bool {
	if len(from) != len(to) {
		return false
	}
	for i := range to {
		if !same(from[i].(map[string]any)[mergeKey], to[i].(map[string]any)[mergeKey]) {
			return false
		}
	}
	return true
}
