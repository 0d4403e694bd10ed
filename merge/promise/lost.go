package promise

import (
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Lost lists the fields and list items that an object of a kind has and another state of it
// does not; with values, also those that have another value. Items are compared by the keys
// of their list. A list without keys that has another length counts as a whole.
func Lost(k schema.Kind, had, now tree.Object, values bool) []fieldpath.Path {
	w := losses{values: values}
	w.walk(had, now, nil, schema.Lookup(k), make(fieldpath.Path, 0, 16))
	return w.lost
}

// Differing lists the fields and list items in which two states of an object of a kind differ, but
// for those that only the server writes.
func Differing(k schema.Kind, a, b tree.Object) []fieldpath.Path {
	return slices.DeleteFunc(append(Lost(k, a, b, true), Lost(k, b, a, false)...), func(p fieldpath.Path) bool {
		was, had := p.Find(a)
		is, has := p.Find(b)
		return rehearsal.ServerOwned(p) || had == has && tree.Equal(was, is) // one of two items with the same keys
	})
}

// OnlyIn lists the places of the items of a list that does not merge which come from none of the
// others. The server adds defaults to an item, so that one comes from another if it has all of it.
func OnlyIn(live []any, others ...any) (only []int) {
	known, in := make([]bool, len(live)), placesOf(live, nil, nil)
	for _, other := range others {
		for _, x := range tree.List(other) {
			for _, i := range in.rarest(x).at {
				known[i] = known[i] || Covers(live[i], x)
			}
		}
	}
	for i := range live {
		if !known[i] {
			only = append(only, i)
		}
	}
	return only
}

type losses struct {
	values bool
	lost   []fieldpath.Path
}

// walk looks at what is at a path, whose steps the next one takes over.
func (w *losses) walk(had, now any, f *schema.Field, t *schema.Type, at fieldpath.Path) {
	if tree.Same(had, now) {
		return
	}
	switch x := had.(type) {
	case map[string]any:
		y, _ := now.(map[string]any)
		for _, key := range tree.Keys(x) {
			p := append(at, fieldpath.Step{Field: key})
			value, has := y[key]
			switch {
			case x[key] == nil:
			case !has || value == nil:
				w.lost = append(w.lost, slices.Clone(p))
			default:
				to, field := t.Child(key)
				w.walk(x[key], value, field, to, p)
			}
		}
	case []any:
		w.items(x, tree.List(now), f, elemOf(t), at)
	default:
		if w.values && !tree.Equal(had, now) {
			w.lost = append(w.lost, slices.Clone(at))
		}
	}
}

// items walks the items of a list, which have the type t.
func (w *losses) items(had, now []any, f *schema.Field, t *schema.Type, at fieldpath.Path) {
	places := placesOf(now, keysOf(f), t)
	for i, item := range had {
		m, keyed := places.keyed(item)
		switch {
		case keyed:
			p := append(at, places.step(m, i))
			if same, is := places.first(m); !is {
				w.lost = append(w.lost, slices.Clone(p))
			} else {
				w.walk(item, same, nil, t, p)
			}
		case !tree.Compound(item):
			same := func(j int) bool { return tree.Equal(item, now[j]) }
			if !slices.ContainsFunc(places.rarest(item).at, same) && (w.values || f != nil && f.Merge) {
				w.lost = append(w.lost, at.Element(item))
			}
		case len(had) == len(now):
			w.walk(item, now[i], nil, t, append(at, fieldpath.Step{Index: i, IsIndex: true}))
		default:
			if w.values {
				w.lost = append(w.lost, slices.Clone(at))
			}
			return
		}
	}
}
