package strategic

import (
	"slices"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// lists adds to the patches of halves the changes that turn the lists in parts
// into to. The lists merge: maps by the merge key, scalars by value.
func (d differ) lists(key string, halves, parts []half, to []any, at spot, f *schema.Field) error {
	var room [maxHalves]half
	ofMaps := room[:0]
	for _, part := range parts {
		h := &halves[part.of]
		if len(part.list) == 0 {
			if len(to) > 0 && !h.ignoreChanges {
				h.add(key, tree.Copy(to))
			}
			continue
		}
		maps, err := elementsAreMaps(part.list, to)
		switch {
		case err != nil:
			return err
		case maps:
			ofMaps = append(ofMaps, part)
		default:
			d.scalars(key, h, part.list, to)
		}
	}
	if len(ofMaps) == 0 {
		return nil
	}
	return d.mapLists(key, halves, ofMaps, to, at, f)
}

// addList adds the changes of a list to the patch: added and changed items
// followed by delete directives, or the scalars to delete, and the new order.
func (h *half) addList(key string, items, deletions, order []any) {
	if len(items) > 0 {
		h.add(key, items)
	}
	if len(deletions) > 0 {
		h.add(deletionsPrefix+"/"+key, deletions)
	}
	if len(order) > 0 {
		h.add(orderPrefix+"/"+key, order)
	}
}

func (d differ) mapLists(key string, halves, parts []half, to []any, at spot, f *schema.Field) error {
	var room [maxHalves]itemDiff
	diffs := room[:len(parts)]
	if err := d.items(parts, diffs, to, at, f); err != nil {
		return err
	}
	for i, diff := range diffs {
		h := &halves[parts[i].of]
		inOrder := sameOrder(parts[i].list, to, f.MergeKey)
		items := append(sortByOrder(diff.items, to, f.MergeKey), diff.deletions...)
		changed := len(items) > 0
		var order []any
		if d.setOrder && (!h.ignoreChanges && (changed || !inOrder) || !h.ignoreDeletions && changed) {
			order = make([]any, len(to))
			for i, v := range to {
				order[i] = tree.Object{f.MergeKey: v.(map[string]any)[f.MergeKey]}
			}
		}
		h.addList(key, items, nil, order)
	}
	return nil
}

// itemDiff is the difference between two lists of maps: added and changed
// items, and delete directives.
type itemDiff struct{ items, deletions []any }

// items walks through the lists in the order of the text of their merge keys.
// Items with equal keys are paired one by one, so that duplicates are paired by
// position.
func (d differ) items(halves []half, diffs []itemDiff, to []any, at spot, f *schema.Field) error {
	var room [1 + maxHalves][smallSize]keyed
	var rest [maxHalves][]keyed // the items not compared yet
	for i := range halves {
		rest[i] = sortedByKey(halves[i].list, f.MergeKey, room[i][:0])
	}
	for _, want := range sortedByKey(to, f.MergeKey, room[maxHalves][:0]) {
		var room [maxHalves]half
		parts := room[:0]
		for i := range halves {
			h := &halves[i]
			// A missing merge key is an error only when its item is reached.
			var err error
			if rest[i], err = h.deletions(rest[i], &want, &diffs[i], f.MergeKey); err != nil {
				return err
			}
			switch {
			case len(rest[i]) > 0 && rest[i][0].key == want.key:
				parts = append(parts, h.below(i, rest[i][0].item, nil))
				rest[i] = rest[i][1:]
			case !h.ignoreChanges:
				diffs[i].items = append(diffs[i].items, tree.CopyObject(want.item))
			}
		}
		if len(parts) == 0 {
			continue
		}
		if err := d.maps(parts, want.item, at, f.RetainKeys); err != nil {
			return err
		}
		for _, part := range parts {
			if part.patch != nil {
				part.patch[f.MergeKey] = want.item[f.MergeKey]
				diffs[part.of].items = append(diffs[part.of].items, part.patch)
			}
		}
	}
	for i := range halves {
		if _, err := halves[i].deletions(rest[i], nil, &diffs[i], f.MergeKey); err != nil {
			return err
		}
	}
	return nil
}

// deletions adds delete directives for the items before next, the next wanted
// item (nil if there is none), and returns the other items.
func (h *half) deletions(have []keyed, next *keyed, diff *itemDiff, mergeKey string) ([]keyed, error) {
	for {
		switch {
		case len(have) > 0 && !have[0].found:
			return nil, noMergeKey(have[0].item, mergeKey)
		case next != nil && !next.found:
			return nil, noMergeKey(next.item, mergeKey)
		case len(have) == 0 || next != nil && have[0].key >= next.key:
			return have, nil
		}
		if !h.ignoreDeletions {
			diff.deletions = append(diff.deletions, tree.Object{mergeKey: have[0].item[mergeKey], patchKey: deleteValue})
		}
		have = have[1:]
	}
}

// keyed is a list item and the text of its merge key.
type keyed struct {
	key   string
	item  tree.Object
	found bool // the item has the key
}

// sortedByKey appends maps to the empty slice items, sorted by key.
func sortedByKey(maps []any, mergeKey string, items []keyed) []keyed {
	for _, v := range maps {
		m := v.(map[string]any)
		k, ok := m[mergeKey]
		items = append(items, keyed{text(k), m, ok})
	}
	// The sort is not stable and equal keys count as less, so that duplicates
	// come out in the same order as upstream.
	slices.SortFunc(items, func(a, b keyed) int { return lessOrEqual(a.key, b.key) })
	return items
}

// lessOrEqual is a comparison in which equal values are less.
func lessOrEqual(a, b string) int {
	if a <= b {
		return -1
	}
	return 1
}

// scalars compares lists of scalars as multisets of texts.
func (d differ) scalars(key string, h *half, from, to []any) {
	// Upstream sorts the old list in place. So an unsorted list in config
	// always differs from it, and conflicts show it sorted.
	have, want := from, sortedScalars(slices.Clone(to))
	if !d.inPlace {
		have = slices.Clone(have)
	}
	sortedScalars(have)
	var items, deletions, order []any
	i, j := 0, 0
	for i < len(have) || j < len(want) {
		switch {
		case i < len(have) && j < len(want) && text(have[i]) == text(want[j]):
			i++
			j++
		case i == len(have) || j < len(want) && text(have[i]) > text(want[j]):
			if !h.ignoreChanges {
				items = append(items, want[j])
			}
			j++
		default:
			if !h.ignoreDeletions {
				deletions = append(deletions, have[i])
			}
			i++
		}
	}
	deletions = distinct(deletions)
	items = sortByOrder(items, to, "")
	if d.setOrder && (!h.ignoreDeletions && len(deletions) > 0 || !h.ignoreChanges && !tree.Equal(have, to)) {
		order = slices.Clone(to)
	}
	h.addList(key, items, deletions, order)
}

// sortedScalars sorts a list by its items' texts in place.
func sortedScalars(list []any) []any {
	slices.SortFunc(list, func(a, b any) int { return lessOrEqual(text(a), text(b)) })
	return list
}

// sameOrder reports whether both lists of maps have the same merge keys in the
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
