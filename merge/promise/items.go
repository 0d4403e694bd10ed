package promise

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// list compares the items of a list of the manifest with those of the result: by their keys
// if the list merges, otherwise each with one that has all of it.
func (s *said) list(t *schema.Type, f *schema.Field, v sides, items []any) {
	elem := elemOf(t)
	keys := keysOf(f)
	said, typed := placesOf(items, keys, elem), tree.List(v.typed)
	s.inexact = s.inexact || keys == nil // the patch has the whole list, without what the server added to it
	result, fresh := placesOf(tree.List(v.result), keys, elem), placesOf(tree.List(v.fresh), keys, elem)
	alone := sync.OnceValue(func() *places { return placesOf(items, []string{f.MergeKey}, elem) })
	live := sync.OnceValue(func() *places {
		list, _ := s.o.Find(s.path[:len(s.path)-1], s.o.Before)
		return placesOf(tree.List(list), []string{f.MergeKey}, elem)
	})
	from := len(s.broken)
	for i, item := range items {
		if s.quick && len(s.broken) > from {
			return
		}
		m, keyed := said.keyed(item)
		if keyed && said.count(m) > 1 {
			s.inexact = true
			continue // which of them is meant is not known
		}
		v := sides{said: item, typed: at(typed, i), result: absent{}, fresh: absent{}}
		if j := result.take(v, i, len(items)); j >= 0 {
			v.result = result.list[j]
		}
		if j := fresh.take(v, i, len(items)); j >= 0 {
			v.fresh = fresh.list[j]
		}
		step := fieldpath.Step{Index: i, IsIndex: true}
		if keyed {
			step = said.step(m, i)
		}
		s.path = append(s.path, step)
		s.item(f, elem, v, alone, live)
		s.path = s.path[:len(s.path)-1]
	}
	if keys == nil && len(result.list) == 0 && len(s.broken) > from { // replaced as a whole
		b := s.broken[from]
		b.Path = slices.Clone(s.path)
		s.broken = append(s.broken[:from], b)
	}
}

func (s *said) item(f *schema.Field, elem *schema.Type, v sides, said, live func() *places) {
	_, lost := v.result.(absent)
	m, isMap := v.said.(tree.Object)
	directive := isMap && s.root != nil && tree.String(m, "$patch") == "delete"
	switch {
	case directive && !lost:
		s.add(Broken{Cause: Directive})
	case directive, isMap && lost && s.root != nil && directives(m):
	case !lost && isMap:
		s.object(elem, v)
	case !lost:
		s.value(elem, nil, v)
	case zero(v.said) && !isMap:
	case f != nil && f.MergeKey != "" && isMap:
		s.add(s.lostItem(f, m, v, said(), live()))
	default:
		s.add(Broken{Cause: s.cause(v)})
	}
}

// directives reports whether an item has nothing but directives, such as $patch: replace.
func directives(m tree.Object) bool {
	for key := range m {
		if !strings.HasPrefix(key, "$") {
			return false
		}
	}
	return len(m) > 0
}

// lostItem says why the result has no item with the keys of one in the manifest, by how many of
// the manifest and of the live list have its merge key.
func (s *said) lostItem(f *schema.Field, item tree.Object, v sides, said, live *places) Broken {
	here, there := said.count(item), live.count(item)
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

// elemOf is the type of the items of a list, nil if it is unknown.
func elemOf(t *schema.Type) *schema.Type {
	if t == nil {
		return nil
	}
	return t.Elem
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

// keyOf is a key of an item, by default that of the table; nil if it has none. The server sets the
// default of an empty one, too.
func keyOf(m tree.Object, key string, elem *schema.Type) (v any) {
	if v = m[key]; v != nil && v != any("") {
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
