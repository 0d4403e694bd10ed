package value

import (
	"fmt"
	"reflect"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// sinceJoined is the first minor whose lists keep what is added to them as the values that
// they are, and whose sets and maps are equal only if no item of either is left over.
const sinceJoined = 37

// joined is a set or a map with what was added to it.
//
// Source: refValSetList and refValMapList of k8s.io/apiserver/pkg/cel/common/values.go.
type joined struct {
	traits.Lister
	id func(ref.Val) (id any, err ref.Val)
	// replaces says that an added item takes the place of the one with its id.
	replaces bool
}

func valuesOf(l traits.Lister) (items []ref.Val) {
	for it := l.Iterator(); it.HasNext() == types.True; {
		items = append(items, it.Next())
	}
	return items
}

// add is j with the items of another list.
func (j *joined) add(to traits.Lister, other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	items, at := valuesOf(to), map[any]int{}
	for i, item := range items {
		id, err := j.id(item)
		if err != nil {
			return err
		}
		at[id] = i
	}
	for _, item := range valuesOf(o) {
		id, err := j.id(item)
		if err != nil {
			return err
		}
		i, known := at[id]
		switch {
		case !known:
			if items = append(items, item); !j.replaces {
				at[id] = len(items) - 1
			}
		case j.replaces:
			items[i] = item
		}
	}
	return &joined{types.NewRefValList(types.DefaultTypeAdapter, items), j.id, j.replaces}
}

// equal reports whether the items of two lists correspond, and are equal if the ids do
// not say so.
func (j *joined) equal(list traits.Lister, other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if list.Size() != o.Size() {
		return types.False
	}
	byID, seen := map[any]ref.Val{}, map[any]bool{}
	for _, item := range valuesOf(list) {
		id, err := j.id(item)
		if err != nil {
			return err
		}
		byID[id] = item
	}
	for _, item := range valuesOf(o) {
		id, err := j.id(item)
		if err != nil {
			return err
		}
		same, ok := byID[id]
		if !ok {
			return types.False
		}
		if j.replaces {
			if equal := same.Equal(item); equal != types.True {
				return equal // false or an error
			}
		}
		seen[id] = true
	}
	return types.Bool(len(seen) == len(byID))
}

// Add adds as the list does that j was made of.
func (j *joined) Add(other ref.Val) ref.Val { return j.add(j.Lister, other) }

// Equal compares as the list does that j was made of.
func (j *joined) Equal(other ref.Val) ref.Val { return j.equal(j.Lister, other) }

// comparable is a value as the key of a map.
func comparable(raw any) any {
	if raw != nil && !reflect.TypeOf(raw).Comparable() {
		return fmt.Sprintf("%#v", raw)
	}
	return raw
}

// itself is the id of an item of a set.
func itself(item ref.Val) (any, ref.Val) {
	switch item.(type) {
	case traits.Lister, traits.Mapper:
		return nil, types.NewErr("listSet operations are only supported on lists of scalar values")
	}
	return comparable(item.Value()), nil
}

// byKeys are the ids of the items of a map.
func byKeys(keys []string) func(ref.Val) (any, ref.Val) {
	return func(item ref.Val) (any, ref.Val) {
		values := make([]any, len(keys))
		for i, key := range keys {
			var v ref.Val
			switch e := item.(type) {
			case traits.Mapper:
				v, _ = e.Find(types.String(key))
			case traits.Indexer:
				if tester, ok := item.(traits.FieldTester); ok && tester.IsSet(types.String(key)) == types.True {
					v = e.Get(types.String(key))
				}
			}
			if v != nil && !types.IsUnknownOrError(v) {
				values[i] = comparable(v.Value())
			}
		}
		return fmt.Sprintf("%#v", values), nil
	}
}
