package strategic

import (
	"errors"
	"fmt"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// mergeOrdered merges a list whose order the patch sets in orderKey
// ("$setElementOrder/NAME"). It removes both from the patch.
func (g merger) mergeOrdered(orderKey string, into, patch tree.Object, at spot) error {
	v := patch[orderKey]
	if g.onPatch {
		if have, ok := into[orderKey]; ok && !tree.Equal(have, v) {
			return errOrder
		}
		into[orderKey] = v
	}
	delete(patch, orderKey)
	wanted, err := asList(v)
	if err != nil {
		return err
	}
	key, ok := strings.CutPrefix(orderKey, orderPrefix+"/")
	if !ok {
		return errOrder
	}
	have, inInto, err := listAt(into, key)
	if err != nil {
		return err
	}
	have = g.own(have)
	items, inPatch, err := listAt(patch, key)
	if err != nil {
		return err
	}
	f, at, err := at.list(key)
	if err != nil {
		return err
	}
	if err := checkOrder(items, wanted, f.MergeKey); err != nil {
		return err
	}
	var merged []any
	switch {
	case inInto && inPatch:
		// This changes have in place, as upstream does: deletions close gaps,
		// and additions use the room at the end. The order of have below
		// depends on it.
		if merged, err = g.mergeList(have, items, f, at, false); err != nil {
			return err
		}
	case inInto:
		merged = have
	case inPatch:
		kept, _ := withoutDirectives(g.mine(items))
		merged = kept.([]any)
	default:
		return nil
	}
	mine, others, err := partition(merged, wanted, f.MergeKey)
	if err != nil {
		return err
	}
	maps, err := elementsAreMaps(have, items)
	if err != nil {
		return err
	}
	if into[key], err = order(mine, others, wanted, have, f.MergeKey, maps); err != nil {
		return err
	}
	delete(patch, key)
	return nil
}

func listAt(m tree.Object, key string) ([]any, bool, error) {
	v, ok := m[key]
	if !ok {
		return nil, false, nil
	}
	l, err := asList(v)
	return l, true, err
}

// checkOrder verifies that wanted has all items of the patch, in the same
// order.
func checkOrder(items, wanted []any, mergeKey string) error {
	if len(items) == 0 || len(wanted) == 0 {
		return nil
	}
	rest := items
	if mergeKey != "" {
		for _, v := range items {
			if _, err := asMap(v); err != nil {
				return err
			}
		}
		rest, _ = splitDeletes(items)
	}
	i := 0
	for j := 0; i < len(rest) && j < len(wanted); {
		if m, ok := rest[i].(map[string]any); ok {
			if _, ok := m[patchKey]; ok {
				i++
				continue
			}
		}
		equal, err := sameKey(rest[i], wanted[j], mergeKey)
		if err != nil {
			return err
		}
		if equal {
			i++
		}
		j++
	}
	if i < len(rest) {
		return fault.Errorf("The order in patch list:\n%v\n doesn't match %s list:\n%v\n", fault.Value(items), orderPrefix, fault.Value(wanted))
	}
	return nil
}

// mergeList merges items into have, in place if possible. deleting is set if
// items are the scalars of a $deleteFromPrimitiveList.
func (g merger) mergeList(have, items []any, f *schema.Field, at spot, deleting bool) ([]any, error) {
	if !f.Merge && !deleting {
		return g.mine(items).([]any), nil
	}
	if len(have) == 0 && len(items) == 0 {
		return have, nil
	}
	maps, err := elementsAreMaps(have, items)
	if err != nil {
		return nil, err
	}
	var merged []any
	switch {
	case !maps && deleting:
		deleted := setOf(items)
		kept := make([]any, 0, len(have))
		for _, v := range have {
			if !deleted.has(v) {
				kept = append(kept, v)
			}
		}
		return kept, nil
	case !maps:
		merged = distinct(append(have, items...))
	case f.MergeKey == "":
		return nil, fmt.Errorf("cannot merge lists without merge key for %s", goKind(at.typ))
	default:
		if have, items, err = g.obeyDirectives(have, items, f.MergeKey); err != nil {
			return nil, err
		}
		if merged, err = g.mergeItems(have, items, f.MergeKey, at); err != nil {
			return nil, err
		}
	}
	mine, others, err := partition(merged, items, f.MergeKey)
	if err != nil {
		return nil, err
	}
	return order(mine, others, items, have, f.MergeKey, maps)
}

// obeyDirectives deletes and replaces items as $patch items demand, and returns
// the list and the remaining items to merge.
func (g merger) obeyDirectives(have, items []any, mergeKey string) ([]any, []any, error) {
	plain := []any{}
	replace := false
	for _, v := range items {
		m := v.(map[string]any)
		switch d, ok := m[patchKey]; {
		case !ok:
			plain = append(plain, v)
		case d == deleteValue:
			key, err := keyOf(m, mergeKey)
			if err != nil {
				return nil, nil, err
			}
			// Delete every match, not only the first.
			for {
				i, err := find(have, mergeKey, key)
				if err != nil {
					return nil, nil, err
				}
				if i < 0 {
					break
				}
				have = append(have[:i], have[i+1:]...)
			}
		case d == replaceValue:
			replace = true
		case d == mergeValue:
			return nil, nil, errors.New("merging lists cannot yet be specified in the patch")
		default:
			return nil, nil, badDirective(d, m)
		}
	}
	if replace {
		return g.mine(plain).([]any), nil, nil
	}
	return have, plain, nil
}

// mergeItems merges each item into the first one of equal key, or appends it.
func (g merger) mergeItems(have, items []any, mergeKey string, at spot) ([]any, error) {
	places := placesOf(have, mergeKey)
	for _, v := range items {
		key, err := keyOf(v, mergeKey)
		if err != nil {
			return nil, err
		}
		i, err := places.with(key)
		if err != nil {
			return nil, err
		}
		if i < 0 {
			places.add(g.mine(v))
			continue
		}
		if places.list[i], err = g.mergeMap(places.list[i].(map[string]any), v.(map[string]any), at); err != nil {
			return nil, err
		}
		if key == nil { // the item has no such key now
			places.at = nil
		}
	}
	return places.list, nil
}
