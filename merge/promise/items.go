package promise

import (
	"encoding/json"
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// list compares the items of a list of the manifest with those of the result: by their keys
// if the list merges, otherwise each with one that has all of it.
func (s *said) list(t *schema.Type, f *schema.Field, v sides, items []any) {
	var elem *schema.Type
	if t != nil {
		elem = t.Elem
	}
	keys := keysOf(f)
	result, typed, fresh := tree.List(v.result), tree.List(v.typed), tree.List(v.fresh)
	from, used, usedFresh := len(s.broken), map[int]bool{}, map[int]bool{}
	for i, item := range items {
		m, isMap := item.(tree.Object)
		if keys != nil && isMap && count(items, m, keys, elem) > 1 {
			continue // which of them is meant is not known
		}
		v := sides{said: item, typed: at(typed, i), result: absent{}, fresh: absent{}}
		if j := match(result, used, keys, elem, v, i, len(items)); j >= 0 {
			v.result, used[j] = result[j], true
		}
		if j := match(fresh, usedFresh, keys, elem, v, i, len(items)); j >= 0 {
			v.fresh, usedFresh[j] = fresh[j], true
		}
		step := fieldpath.Step{Index: i, IsIndex: true}
		if keys != nil && isMap {
			step = fieldpath.Step{}
			for _, key := range keys {
				if value := keyOf(m, key, elem); value != nil {
					step.Keys = append(step.Keys, fieldpath.Key{Name: key, Value: value})
				}
			}
		}
		s.path = append(s.path, step)
		s.item(t, f, elem, v, items)
		s.path = s.path[:len(s.path)-1]
	}
	if keys == nil && len(result) == 0 && len(s.broken) > from { // replaced as a whole
		b := s.broken[from]
		b.Path = slices.Clone(s.path)
		s.broken = append(s.broken[:from], b)
	}
}

func (s *said) item(t *schema.Type, f *schema.Field, elem *schema.Type, v sides, items []any) {
	_, lost := v.result.(absent)
	m, isMap := v.said.(tree.Object)
	directive := isMap && s.root != nil && tree.String(m, "$patch") == "delete"
	switch {
	case directive && !lost:
		s.add(Broken{Cause: Directive})
	case directive:
	case !lost && isMap:
		s.object(elem, v)
	case !lost:
		s.value(elem, nil, v)
	case zero(v.said) && !isMap:
	case f != nil && f.MergeKey != "" && isMap:
		s.add(s.lostItem(f, elem, m, v, items))
	default:
		s.add(Broken{Cause: s.cause(v)})
	}
}

// lostItem says why the result has no item with the keys of one in the manifest.
func (s *said) lostItem(f *schema.Field, elem *schema.Type, item tree.Object, v sides, items []any) Broken {
	live, _ := s.o.Find(s.path[:len(s.path)-1], s.o.Before)
	key := []string{f.MergeKey}
	here, there := count(items, item, key, elem), count(tree.List(live), item, key, elem)
	b := Broken{Cause: s.cause(v), Key: f.MergeKey}
	switch {
	case here > 1:
		b.Cause = Narrow
	case there > 1:
		b.Cause, b.Live = LiveTwice, there
	}
	return b
}

// keysOf are the fields that tell the items of a list that merges apart; nil if it does not
// merge.
func keysOf(f *schema.Field) []string {
	switch {
	case f == nil || !f.Merge || f.MergeKey == "":
		return nil
	case len(f.ListKeys) > 0:
		return f.ListKeys
	}
	return []string{f.MergeKey}
}

// match is the place of the item in a list that is the one of the manifest, or -1.
func match(list []any, used map[int]bool, keys []string, elem *schema.Type, v sides, i, n int) int {
	m, isMap := v.said.(tree.Object)
	best, again := -1, -1
	for j, x := range list {
		switch {
		case used[j] && covers(x, v.said):
			again = j // two equal items may become one
		case used[j], keys != nil && isMap && !sameKeys(x, m, keys, elem):
		case covers(x, v.said), covers(x, v.typed):
			return j
		case best < 0 && keys != nil && isMap:
			best = j
		}
	}
	if best < 0 && keys == nil && len(list) == n && !used[i] {
		return i
	}
	return max(best, again)
}

func sameKeys(a any, b tree.Object, keys []string, elem *schema.Type) bool {
	for _, key := range keys {
		x, y := keyOf(tree.Map(a), key, elem), keyOf(b, key, elem)
		if x != nil && y != nil && !tree.Equal(x, y) {
			return false
		}
	}
	return true
}

func count(list []any, item tree.Object, keys []string, elem *schema.Type) (n int) {
	for _, x := range list {
		if sameKeys(x, item, keys, elem) {
			n++
		}
	}
	return n
}

// keyOf is a key of an item, by default that of the table; nil if it has none.
func keyOf(m tree.Object, key string, elem *schema.Type) (v any) {
	if v, has := m[key]; has {
		return v
	}
	if _, f := elem.Child(key); f != nil && f.Default != "" {
		_ = json.Unmarshal([]byte(f.Default), &v) // of the tables
	}
	return v
}

func at(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return absent{}
}
