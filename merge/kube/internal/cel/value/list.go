package value

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	apiservercel "k8s.io/apiserver/pkg/cel"
)

// list is a list of type atomic.
type list struct {
	items []any
	item  *Schema
}

var _ traits.Lister = (*list)(nil)

func listOf(x any, s *Schema) ref.Val {
	items, ok := x.([]any)
	if !ok {
		return types.NewErr("invalid data, expected an array for the provided schema with type=array")
	}
	if s.Items == nil {
		return types.NewErr("invalid array type, expected Items with a non-empty Schema")
	}
	l := list{items, s.Items}
	switch s.ListType {
	case "", "atomic":
		return &l
	case "set":
		return &setList{list: l}
	case "map":
		return &mapList{l, escaped(s.MapKeys)}
	}
	return types.NewErr("invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got %s", s.ListType)
}

// Get returns an item.
func (l *list) Get(index ref.Val) ref.Val {
	i, ok := index.(types.Int)
	if !ok {
		return types.ValOrErr(index, "unsupported index: %v", index)
	}
	if int(i) < 0 || int(i) >= len(l.items) {
		return types.NewErr("index out of bounds: %v", index)
	}
	return Of(l.items[i], l.item)
}

// Size is the number of items.
func (l *list) Size() ref.Val { return types.Int(len(l.items)) }

// Iterator goes over the items.
func (l *list) Iterator() traits.Iterator {
	items := make([]ref.Val, len(l.items))
	for i, item := range l.items {
		items[i] = Of(item, l.item)
	}
	return &iterator{items: items}
}

// Contains reports whether an item equals the value.
func (l *list) Contains(value ref.Val) ref.Val {
	if types.IsUnknownOrError(value) {
		return value
	}
	var err ref.Val
	for _, item := range l.items {
		equal := Of(item, l.item).Equal(value)
		if equal == types.True {
			return types.True
		}
		if _, ok := equal.(types.Bool); !ok && err == nil {
			err = types.MaybeNoSuchOverloadErr(equal)
		}
	}
	if err != nil {
		return err
	}
	return types.False
}

// Equal compares item by item.
func (l *list) Equal(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if l.Size() != o.Size() {
		return types.False
	}
	for i := range l.items {
		if equal := l.Get(types.Int(i)).Equal(o.Get(types.Int(i))); equal != types.True {
			return equal // false or an error
		}
	}
	return types.True
}

// Add appends the items of another list.
func (l *list) Add(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if l.item.minor >= sinceJoined {
		return types.NewRefValList(types.DefaultTypeAdapter, append(valuesOf(l), valuesOf(o)...))
	}
	items := slices.Clip(l.items)
	for it := o.Iterator(); it.HasNext() == types.True; {
		items = append(items, it.Next().Value())
	}
	return &list{items, l.item}
}

// ConvertToNative gives the items; texts as such, for functions of lists of
// texts.
func (l *list) ConvertToNative(to reflect.Type) (any, error) {
	if to.Kind() != reflect.Slice {
		return nil, fmt.Errorf("type conversion error from '%s' to '%s'", l.Type(), to)
	}
	if l.item.Type != "string" {
		return l.items, nil
	}
	var texts []string
	for _, item := range l.items {
		s, ok := item.(string)
		if !ok {
			return nil, fmt.Errorf("expected all elements to be of type string, but got %T", item)
		}
		texts = append(texts, s)
	}
	return texts, nil
}

// ConvertToType gives the list itself, or its type.
func (l *list) ConvertToType(to ref.Type) ref.Val {
	return converted(l, to)
}

// Type is list.
func (l *list) Type() ref.Type { return types.ListType }

// Value is the items.
func (l *list) Value() any { return l.items }

// setList is a list of type set, whose items are scalars: its order does not
// matter, and adding a list adds the items that are missing.
type setList struct {
	list
	known map[any]bool
}

// set has the items, once they are asked for. Items that are lists or objects
// make it panic, which CEL reports as an error, as upstream's does.
func (s *setList) set() map[any]bool {
	if s.known == nil {
		s.known = make(map[any]bool, len(s.items))
		for _, item := range s.items {
			s.known[item] = true
		}
	}
	return s.known
}

// Equal reports whether both have the same items.
func (s *setList) Equal(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if s.Size() != o.Size() {
		return types.False
	}
	if s.item.minor >= sinceJoined {
		return (&joined{id: itself}).equal(s, other)
	}
	set := s.set()
	for it := o.Iterator(); it.HasNext() == types.True; {
		if !set[it.Next().Value()] {
			return types.False
		}
	}
	return types.True
}

// Add is the union, in the order of the left list and then of the right. The
// left list takes what is added for its own from then on, as upstream's did before 1.37.
func (s *setList) Add(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if s.item.minor >= sinceJoined {
		return (&joined{id: itself}).add(s, other)
	}
	items, set := slices.Clip(s.items), s.set()
	for it := o.Iterator(); it.HasNext() == types.True; {
		if item := it.Next().Value(); !set[item] {
			set[item] = true
			items = append(items, item)
		}
	}
	return &setList{list: list{items, s.item}}
}

// mapList is a list of type map: items correspond by their keys.
type mapList struct {
	list
	// keys are escaped as in expressions, and looked for like that in objects
	// whose names are not. So upstream: of a list with a key such as my-key no
	// item has it, and all correspond.
	keys []string
}

func escaped(names []string) []string {
	keys := slices.Clone(names)
	for i, name := range names {
		if e, ok := apiservercel.Escape(name); ok {
			keys[i] = e
		}
	}
	return keys
}

// id is the same for items that correspond.
func (m *mapList) id(item any) any {
	fields, ok := item.(map[string]any)
	if !ok {
		return types.NewErr("unexpected data format for element of array with x-kubernetes-list-type=map: %T", item)
	}
	values := make([]any, len(m.keys))
	for i, key := range m.keys {
		values[i] = fields[key]
	}
	switch len(values) {
	case 1:
		return values[0]
	case 2:
		return [2]any{values[0], values[1]}
	case 3:
		return [3]any{values[0], values[1], values[2]}
	}
	return fmt.Sprintf("%v", values)
}

func (m *mapList) ofValue(item ref.Val) (any, ref.Val) { return m.id(item.Value()), nil }

// Equal reports whether each item equals the one that corresponds.
func (m *mapList) Equal(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if m.Size() != o.Size() {
		return types.False
	}
	if m.item.minor >= sinceJoined {
		return (&joined{id: m.ofValue, replaces: true}).equal(m, other)
	}
	byID := make(map[any]any, len(m.items))
	for _, item := range m.items {
		byID[m.id(item)] = item
	}
	for it := o.Iterator(); it.HasNext() == types.True; {
		value := it.Next()
		item, ok := byID[m.id(value.Value())]
		if !ok {
			return types.False
		}
		if equal := Of(item, m.item).Equal(value); equal != types.True {
			return equal // false or an error
		}
	}
	return types.True
}

// Add overwrites the items that correspond in place, and appends the others.
func (m *mapList) Add(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if m.item.minor >= sinceJoined {
		return (&joined{id: byKeys(m.keys), replaces: true}).add(m, other)
	}
	items, at := slices.Clone(m.items), make(map[any]int, len(m.items))
	for i, item := range items {
		at[m.id(item)] = i
	}
	for it := o.Iterator(); it.HasNext() == types.True; {
		item := it.Next().Value()
		if i, ok := at[m.id(item)]; ok {
			items[i] = item
		} else {
			items = append(items, item)
		}
	}
	return &mapList{list{items, m.item}, m.keys}
}
