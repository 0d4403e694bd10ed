package fieldpath

import (
	"maps"
	"slices"
)

// Holds reports whether q is p or below it. The two paths may name a list item
// with different numbers of keys.
func (p Path) Holds(q Path) bool {
	if len(p) > len(q) {
		return false
	}
	for i, s := range p {
		if !s.Means(q[i]) {
			return false
		}
	}
	return true
}

// Meets reports whether one of p and q holds the other.
func (p Path) Meets(q Path) bool { return p.Holds(q) || q.Holds(p) }

// Means reports whether both steps can be the same: the same field, the same
// index, or list items whose common keys are equal.
func (s Step) Means(t Step) bool {
	if s.Keys == nil || t.Keys == nil {
		return s.equal(t)
	}
	common := 0
	for _, k := range s.Keys {
		i := slices.IndexFunc(t.Keys, func(h Key) bool { return h.Name == k.Name })
		if i < 0 {
			continue
		}
		if common++; t.Keys[i].Text() != k.Text() {
			return false
		}
	}
	return common > 0
}

// Without returns a copy of the tree without the value at p, and without
// parents that become empty. Unchanged parts are shared, not copied.
func (p Path) Without(v any) any {
	if _, ok := p.Find(v); !ok || len(p) == 0 {
		return v
	}
	left, _ := without(v, p)
	return left
}

func without(v any, p Path) (left any, kept bool) {
	if len(p) == 0 {
		return nil, false
	}
	if m, ok := v.(map[string]any); ok {
		out := maps.Clone(m)
		delete(out, p[0].Field)
		if x, ok := without(m[p[0].Field], p[1:]); ok {
			out[p[0].Field] = x
		}
		return out, len(out) > 0
	}
	list, _ := v.([]any)
	i := p[0].Index
	if p[0].Keys != nil {
		i = p[0].Match(list)
	}
	out := slices.Delete(slices.Clone(list), i, i+1)
	if x, ok := without(list[i], p[1:]); ok {
		out = slices.Insert(out, i, x)
	}
	return out, len(out) > 0
}
