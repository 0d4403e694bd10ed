package strategic

import "slices"

// sortByOrder sorts items as in order; delete directives go last. Items that
// are not in order count as less than any neighbor. That is not a consistent
// order, so the result depends on the sorting algorithm (stable insertion and
// merge).
func sortByOrder(items, order []any, mergeKey string) []any {
	items, deletes := splitDeletes(items)
	places := placesOf(order, mergeKey)
	if len(items) > 1 && !inOrder(items, &places) {
		byRank := make([]ranked, len(items))
		for i, v := range items {
			byRank[i] = ranked{v, places.of(v)}
		}
		slices.SortStableFunc(byRank, func(a, b ranked) int {
			if a.rank < 0 || b.rank < 0 || a.rank < b.rank {
				return -1
			}
			return 1
		})
		items = make([]any, len(byRank), len(byRank)+len(deletes))
		for i, r := range byRank {
			items[i] = r.item
		}
	}
	return append(items, deletes...)
}

// inOrder reports whether the items are already sorted as in order.
func inOrder(items []any, order *places) bool {
	last := 0
	for _, v := range items {
		rank := order.of(v)
		if rank < last {
			return false
		}
		last = rank
	}
	return true
}

// ranked is an item and its index in the order, or -1.
type ranked struct {
	item any
	rank int
}

// checkKeys verifies that every item is a map with the merge key.
func checkKeys(mergeKey string, lists ...[]any) error {
	for _, l := range lists {
		for _, v := range l {
			if _, err := keyOf(v, mergeKey); err != nil {
				return err
			}
		}
	}
	return nil
}

// splitDeletes separates the items from the delete directives. Without
// directives, items is the list itself.
func splitDeletes(list []any) (items, deletes []any) {
	if !slices.ContainsFunc(list, isDelete) {
		return list, nil
	}
	for _, v := range list {
		if isDelete(v) {
			deletes = append(deletes, v)
		} else {
			items = append(items, v)
		}
	}
	return items, deletes
}

func isDelete(v any) bool {
	m, ok := v.(map[string]any)
	return ok && m[patchKey] == deleteValue
}

// order sorts the patch's items by patchOrder and the server's own items by
// serverOrder, and inserts each server item before the first patch item that
// comes later on the server. Maps must have the mergeKey; without a mergeKey,
// lists of maps are an error unless they are empty.
func order(patch, server, patchOrder, serverOrder []any, mergeKey string, maps bool) ([]any, error) {
	if maps {
		if err := checkKeys(mergeKey, patch, patchOrder, server, serverOrder); err != nil {
			return nil, err
		}
	}
	patch, server = sortByOrder(patch, patchOrder, mergeKey), sortByOrder(server, serverOrder, mergeKey)
	all := make([]any, 0, len(patch)+len(server))
	places := placesOf(serverOrder, mergeKey)
	for len(server) > 0 && len(patch) > 0 {
		i, j := places.of(server[0]), places.of(patch[0])
		if i >= 0 && j >= 0 && i < j {
			all = append(all, server[0])
			server = server[1:]
		} else {
			all = append(all, patch[0])
			patch = patch[1:]
		}
	}
	return append(append(all, server...), patch...), nil
}

// partition divides merged into the items that are in by, and the others.
func partition(merged, by []any, mergeKey string) (in, out []any, err error) {
	var among set
	var places places
	if mergeKey == "" {
		among = setOf(by)
	} else {
		places = placesOf(by, mergeKey)
	}
	for _, v := range merged {
		found := false
		if mergeKey == "" {
			found = among.has(v)
		} else {
			key, err := keyOf(v, mergeKey)
			if err != nil {
				return nil, nil, err
			}
			i, err := places.with(key)
			if err != nil {
				return nil, nil, err
			}
			found = i >= 0
		}
		if found {
			in = append(in, v)
		} else {
			out = append(out, v)
		}
	}
	return in, out, nil
}
