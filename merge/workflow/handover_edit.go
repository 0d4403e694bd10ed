package workflow

import (
	"maps"
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

// extent is the field, or the highest parent that holds nothing else, neither
// in the config nor in what was last applied. An empty parent that only one of
// them has would be a change of its own.
func (h *planner) extent() fieldpath.Path {
	p := h.Path
	for len(p) > 1 && alone(h.config, p[:len(p)-1]) && alone(h.last, p[:len(p)-1]) {
		p = p[:len(p)-1]
	}
	return p
}

// leaving is the highest part of the path that the config lacks.
func (h *planner) leaving() fieldpath.Path {
	for i := range h.Path {
		if v, ok := h.Path[:i+1].Find(h.config); !ok || v == nil {
			return h.Path[:i+1]
		}
	}
	return h.Path
}

// alone reports whether what is at the path, if anything, has one part.
func alone(obj tree.Object, p fieldpath.Path) bool {
	v, _ := p.Find(obj)
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 1
	case []any:
		return len(v) == 1
	}
	return v == nil
}

// without is an object without what is at the path, if it has that.
func without(obj tree.Object, p fieldpath.Path) tree.Object {
	if _, ok := p.Find(obj); !ok {
		return obj
	}
	left, err := edit.Object(obj, []edit.Edit{edit.Remove(p)})
	if err != nil {
		return obj
	}
	return left
}

// put returns v with a value at the path. Elements that a list lacks get the
// keys that they have in live. What is not changed is shared.
func put(v, live any, p fieldpath.Path, keys [][]string, value any) any {
	if len(p) == 0 {
		return tree.Copy(value)
	}
	if p[0].Keys == nil {
		m, _ := v.(map[string]any)
		if m = maps.Clone(m); m == nil {
			m = tree.Object{}
		}
		below, _ := tree.Get(live, p[0].Field)
		m[p[0].Field] = put(m[p[0].Field], below, p[1:], keys[1:], value)
		return m
	}
	list, _ := v.([]any)
	list = slices.Clone(list)
	there, _ := live.([]any)
	var model any
	if i := p[0].Match(there); i >= 0 {
		model = there[i]
	}
	i := p[0].Match(list)
	if i < 0 {
		list, i = append(list, identity(model, keys[0])), len(list)
	}
	list[i] = put(list[i], model, p[1:], keys[1:], value)
	return list
}

// identity is an element of a list that has nothing but its keys.
func identity(element any, keys []string) any {
	m, ok := element.(map[string]any)
	if !ok {
		return element
	}
	out := tree.Object{}
	for _, key := range keys {
		if v, ok := m[key]; ok {
			out[key] = v
		}
	}
	return out
}

// another is a value that another manager might set: the first scalar in v that
// is no key is changed. ok is false if there is none.
func another(v any, keys []string) (changed any, ok bool) {
	switch v := v.(type) {
	case string:
		return v + "-2", true
	case int64:
		return v + 1, true
	case float64:
		return v + 1, true
	case bool:
		return !v, true
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if slices.Contains(keys, key) {
				continue
			}
			if below, ok := another(v[key], nil); ok {
				m := maps.Clone(v)
				m[key] = below
				return m, true
			}
		}
	}
	return nil, false
}
