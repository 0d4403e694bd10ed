package merge

import (
	"encoding/json"
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/schema"
)

// tellingKeys are the fields that tell the items of a merging list apart, in
// live and in result: the merge key, or, where that does not, as of a port for
// TCP and for UDP, those of the list's keys in a server-side apply. Items that
// are values have no fields but themselves, "". Nil: some items are alike.
func tellingKeys(f *schema.Field, elem *schema.Type, live, result []any) []string {
	for _, keys := range [][]string{{f.MergeKey}, f.ListKeys} {
		if len(keys) > 0 && differ(live, keys, elem) && differ(result, keys, elem) {
			return keys
		}
	}
	return nil
}

// differ reports whether no two items have the same keys.
func differ(list []any, keys []string, elem *schema.Type) bool {
	if len(list) <= few {
		for i, x := range list {
			if (items{list[:i], keys, elem}).find(itemID(x, keys, elem)) >= 0 {
				return false
			}
		}
		return true
	}
	seen := make(map[any]bool, len(list))
	for _, item := range list {
		id := itemID(item, keys, elem)
		if seen[id] {
			return false
		}
		seen[id] = true
	}
	return true
}

// items are those of a list, which the keys tell apart.
type items struct {
	list []any
	keys []string
	elem *schema.Type
}

// find is the index of the first item with the ID, or -1.
func (l items) find(id any) int {
	return slices.IndexFunc(l.list, func(x any) bool { return itemID(x, l.keys, l.elem) == id })
}

func (l items) at(i int) value {
	if i < 0 {
		return value{}
	}
	return value{l.list[i], true}
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
