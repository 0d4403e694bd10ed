package rehearsal

import (
	"slices"
	"sync"

	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Gone lists the fields and list items that an object of a kind has and another state of it
// does not; with values, also those that have another value. Items are compared by the keys
// of their list. A list without keys that has another length counts as a whole.
func Gone(k schema.Kind, had, now tree.Object, values bool) []fieldpath.Path {
	w := losses{values: values}
	w.walk(had, now, nil, schema.Lookup(k), nil)
	return w.gone
}

// Differing lists the fields and list items in which two states of an object of a kind differ, but
// for those that only the server writes.
func Differing(k schema.Kind, a, b tree.Object) []fieldpath.Path {
	return slices.DeleteFunc(append(Gone(k, a, b, true), Gone(k, b, a, false)...), func(p fieldpath.Path) bool {
		was, had := p.Find(a)
		is, has := p.Find(b)
		return ServerOwned(p) || had == has && tree.Equal(was, is) // one of two items with the same keys
	})
}

// Lost lists the fields and items of the manifest that a create would store and that the
// result does not have: the merge drops them.
func (o *Outcome) Lost() []fieldpath.Path {
	if o.Result == nil || o.Fresh == nil {
		return nil
	}
	fresh := o.Fresh()
	if fresh == nil {
		return nil
	}
	var w losses
	w.walk(o.Manifest.Tree, o.Result, nil, schema.Lookup(o.Kind), nil)
	return slices.DeleteFunc(w.gone, func(p fieldpath.Path) bool {
		_, stored := p.Find(fresh)
		config, _ := p.Find(o.Manifest.Tree)
		return !stored || tree.Empty(config) || ServerOwned(p)
	})
}

type losses struct {
	values bool
	gone   []fieldpath.Path
}

func (w *losses) walk(had, now any, f *schema.Field, t *schema.Type, at fieldpath.Path) {
	switch x := had.(type) {
	case map[string]any:
		y, _ := now.(map[string]any)
		for _, key := range tree.Keys(x) {
			p := at.Child(key)
			value, has := y[key]
			switch {
			case x[key] == nil:
			case !has || value == nil:
				w.gone = append(w.gone, p)
			default:
				to, field := t.Child(key)
				w.walk(x[key], value, field, to, p)
			}
		}
	case []any:
		y, _ := now.([]any)
		w.items(x, y, f, elem(t), at)
	default:
		if w.values && !tree.Equal(had, now) {
			w.gone = append(w.gone, at)
		}
	}
}

// items walks the items of a list, which have the type t.
func (w *losses) items(had, now []any, f *schema.Field, t *schema.Type, at fieldpath.Path) {
	keys := keysOf(f)
	places := sync.OnceValue(func() map[any][]int { return placesBy(keys, now) })
	find := func(value any, same func(any) bool) int {
		if len(now) <= 8 || tree.Compound(value) {
			return slices.IndexFunc(now, same)
		}
		for _, i := range places()[value] {
			if same(now[i]) {
				return i
			}
		}
		return -1
	}
	for i, item := range had {
		switch {
		case keys != nil && tree.Has(item, keys[0]):
			p := at.Select(selecting(item, keys)...)
			value, _ := tree.Get(item, keys[0])
			if same := find(value, func(x any) bool { return sameItem(item, x, keys) }); same < 0 {
				w.gone = append(w.gone, p)
			} else {
				w.walk(item, now[same], nil, t, p)
			}
		case !tree.Compound(item):
			if find(item, func(x any) bool { return tree.Equal(item, x) }) < 0 && (w.values || f != nil && f.Merge) {
				w.gone = append(w.gone, at.Element(item))
			}
		case len(had) == len(now):
			w.walk(item, now[i], nil, t, at.Item(i))
		default:
			if w.values {
				w.gone = append(w.gone, at)
			}
			return
		}
	}
}

// placesBy are the places of items by the value of their first key, or by themselves.
func placesBy(keys []string, list []any) map[any][]int {
	places := map[any][]int{}
	for i, item := range list {
		value, has := item, true
		if tree.Compound(item) && keys != nil {
			value, has = tree.Get(item, keys[0])
		}
		if has && !tree.Compound(value) {
			places[value] = append(places[value], i)
		}
	}
	return places
}

// keysOf are the fields by which the items of a list are compared, nil if there are none.
func keysOf(f *schema.Field) []string {
	switch {
	case f == nil:
		return nil
	case f.ListKeys != nil:
		return f.ListKeys
	case f.Merge && f.MergeKey != "":
		return []string{f.MergeKey}
	}
	return nil
}

func selecting(item any, keys []string) (list []fieldpath.Key) {
	for _, key := range keys {
		if value, has := tree.Get(item, key); has && !tree.Compound(value) {
			list = append(list, fieldpath.Key{Name: key, Value: value})
		}
	}
	return list
}

// sameItem reports whether two items have the same keys; one that an item does not set is
// left to the server's default.
func sameItem(a, b any, keys []string) bool {
	for _, key := range keys {
		x, has := tree.Get(a, key)
		y, set := tree.Get(b, key)
		if has && set && !tree.Equal(x, y) || has != set && key == keys[0] {
			return false
		}
	}
	return true
}
