package explain

import (
	"encoding/json"
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
)

// tellingKeys are the fields that tell the items of a merging list apart, in
// live and in result, with what they tell: the merge key, or, where that does
// not, as of a port for TCP and for UDP, those of the list's keys in a
// server-side apply. Items that are values have no fields but themselves, "".
// Nil: some items are alike.
func (w *walker) tellingKeys(f *schema.Field, elem *schema.Type, live, result []any) (keys []string, liveIDs, resultIDs []any) {
	for _, keys := range [][]string{{f.MergeKey}, f.ListKeys} {
		if len(keys) == 0 {
			continue
		}
		liveIDs, resultIDs := w.itemIDs(live, keys, elem), w.itemIDs(result, keys, elem)
		if differ(liveIDs) && differ(resultIDs) {
			return keys, liveIDs, resultIDs
		}
	}
	return nil, nil, nil
}

// differ reports whether no two are the same.
func differ(ids []any) bool {
	if len(ids) <= usualSize {
		for i, id := range ids {
			if slices.Contains(ids[:i], id) {
				return false
			}
		}
		return true
	}
	seen := make(map[any]bool, len(ids))
	for _, id := range ids {
		if seen[id] {
			return false
		}
		seen[id] = true
	}
	return true
}

// itemIDs are those of a list, in room that the walker has until it has done with
// the list.
func (w *walker) itemIDs(list []any, keys []string, elem *schema.Type) []any {
	from := len(w.ids)
	for _, x := range list {
		w.ids = append(w.ids, itemID(x, keys, elem))
	}
	return slices.Clip(w.ids[from:])
}

// places are where the IDs of a list are: few are looked through, of many there
// is a map.
type places struct {
	ids []any
	at  map[any]int
}

func placesOf(ids []any) places {
	p := places{ids: ids}
	if len(ids) > usualSize {
		p.at = make(map[any]int, len(ids))
		for i, id := range slices.Backward(ids) {
			p.at[id] = i
		}
	}
	return p
}

// of is the first place of an ID, or -1.
func (p places) of(id any) int {
	if p.at == nil {
		return slices.Index(p.ids, id)
	}
	if i, ok := p.at[id]; ok {
		return i
	}
	return -1
}

// inOrder reports whether the IDs of a list that is not empty are all in another
// one, in the same order.
func inOrder(ids []any, in places) bool {
	before := -1
	for _, id := range ids {
		at := in.of(id)
		if at <= before {
			return false
		}
		before = at
	}
	return len(ids) > 0
}

// itemID is a value that only the item has: its key, or, where that is not all,
// the step that leads to it.
func itemID(item any, keys []string, elem *schema.Type) any {
	if len(keys) == 1 {
		key := itemKey(item, keys[0]).Value
		switch key.(type) {
		case nil, string, int64, bool:
			return key
		}
	}
	return itemStep(item, keys, elem).String()
}

// itemStep is itemStep with room for a single key.
func (w *walker) itemStep(item any, keys []string, elem *schema.Type) fieldpath.Step {
	if len(keys) > 1 {
		return itemStep(item, keys, elem)
	}
	from := len(w.keys)
	w.keys = append(w.keys, itemKey(item, keys[0]))
	return fieldpath.Step{Keys: slices.Clip(w.keys[from:])}
}

// itemStep identifies an item of a list. Of several keys it may lack some that
// have a default.
func itemStep(item any, keys []string, elem *schema.Type) fieldpath.Step {
	m, ok := item.(map[string]any)
	if !ok || len(keys) == 1 {
		return fieldpath.Step{Keys: []fieldpath.Key{itemKey(item, keys[0])}}
	}
	step := fieldpath.Step{Keys: make([]fieldpath.Key, len(keys))}
	for i, name := range keys {
		v, ok := m[name]
		if f := elem.Field(name); !ok && f != nil && f.Default != "" {
			_ = json.Unmarshal([]byte(f.Default), &v) // of the tables
		}
		step.Keys[i] = fieldpath.Key{Name: name, Value: v}
	}
	return step
}

// itemKey is the merge key of an item, or the item itself if it has none.
func itemKey(item any, mergeKey string) fieldpath.Key {
	if m, ok := item.(map[string]any); ok && mergeKey != "" {
		return fieldpath.Key{Name: mergeKey, Value: m[mergeKey]}
	}
	return fieldpath.Key{Value: item}
}
