package serverside

import (
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// sorted is a value whose maps, and those in it, are walked by sorted key.
type sorted struct{ value.Value }

func (s sorted) AsMap() value.Map                       { return sortedMap{s.Value.AsMap()} }
func (s sorted) AsMapUsing(value.Allocator) value.Map   { return s.AsMap() }
func (s sorted) AsList() value.List                     { return sortedList{s.Value.AsList()} }
func (s sorted) AsListUsing(value.Allocator) value.List { return s.AsList() }

// Format prints the value in messages as if it were not wrapped: %v, %#v.
func (s sorted) Format(f fmt.State, verb rune) { fmt.Fprintf(f, fmt.FormatString(f, verb), s.Value) }

type sortedMap struct{ value.Map }

func (m sortedMap) Get(key string) (value.Value, bool) {
	v, ok := m.Map.Get(key)
	return sorted{v}, ok
}

func (m sortedMap) GetUsing(_ value.Allocator, key string) (value.Value, bool) { return m.Get(key) }

func (m sortedMap) Iterate(visit func(key string, v value.Value) bool) bool {
	var keys []string
	m.Map.Iterate(func(key string, _ value.Value) bool {
		keys = append(keys, key)
		return true
	})
	slices.Sort(keys)
	for _, key := range keys {
		v, _ := m.Get(key)
		if !visit(key, v) {
			return false
		}
	}
	return true
}

func (m sortedMap) IterateUsing(_ value.Allocator, visit func(key string, v value.Value) bool) bool {
	return m.Iterate(visit)
}

type sortedList struct{ value.List }

func (l sortedList) At(i int) value.Value                         { return sorted{l.List.At(i)} }
func (l sortedList) AtUsing(_ value.Allocator, i int) value.Value { return l.At(i) }
