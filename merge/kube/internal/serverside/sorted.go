package serverside

import (
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// manyFields is the size from which a map is walked in sorted order.
// structured-merge-diff inserts the fields into sorted lists, and without order
// the time for that grows with the square.
const manyFields = 1000

// wide reports whether a value contains a map with at least that many fields.
func wide(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > manyFields {
			return true
		}
		for _, x := range v {
			if wide(x) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, wide)
	}
	return false
}

// sorted is a value whose maps, also nested ones, are walked in sorted order.
type sorted struct{ value.Value }

func (s sorted) AsMap() value.Map                       { return sortedMap{s.Value.AsMap()} }
func (s sorted) AsMapUsing(value.Allocator) value.Map   { return s.AsMap() }
func (s sorted) AsList() value.List                     { return sortedList{s.Value.AsList()} }
func (s sorted) AsListUsing(value.Allocator) value.List { return s.AsList() }

// Format prints the value in messages as if it was not wrapped: %v, %#v.
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

// Zip walks through two maps: first the keys of this one, then those only in
// the other.
func (m sortedMap) Zip(other value.Map, _ value.MapTraverseOrder, visit func(key string, v, w value.Value) bool) bool {
	return m.Iterate(func(key string, v value.Value) bool {
		if other != nil {
			if w, has := other.Get(key); has {
				return visit(key, v, w)
			}
		}
		return visit(key, v, nil)
	}) && (other == nil || sortedMap{other}.Iterate(func(key string, w value.Value) bool {
		return m.Has(key) || visit(key, nil, w)
	}))
}

func (m sortedMap) ZipUsing(_ value.Allocator, other value.Map, order value.MapTraverseOrder, visit func(key string, v, w value.Value) bool) bool {
	return m.Zip(other, order, visit)
}

type sortedList struct{ value.List }

func (l sortedList) At(i int) value.Value                         { return sorted{l.List.At(i)} }
func (l sortedList) AtUsing(_ value.Allocator, i int) value.Value { return l.At(i) }
