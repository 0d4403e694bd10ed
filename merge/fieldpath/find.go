package fieldpath

// Find returns the value at the path in a tree of plain values, and whether it
// is there. A list item is found by its keys: the first item that has all of
// them; otherwise the first item that has some of them and no value for the
// others, because the server defaults keys (a port's protocol).
func (p Path) Find(v any) (any, bool) {
	for _, s := range p {
		switch {
		case s.IsIndex:
			list, ok := v.([]any)
			if !ok || s.Index < 0 || s.Index >= len(list) {
				return nil, false
			}
			v = list[s.Index]
		case s.Keys != nil:
			list, _ := v.([]any)
			i := s.Match(list)
			if i < 0 {
				return nil, false
			}
			v = list[i]
		default:
			m, _ := v.(map[string]any)
			x, ok := m[s.Field]
			if !ok {
				return nil, false
			}
			v = x
		}
	}
	return v, true
}

// Match returns the index of the list item that a step with Keys selects, or
// -1.
func (s Step) Match(list []any) int {
	best := -1
	for i, x := range list {
		switch n := s.matching(x); {
		case n == len(s.Keys):
			return i
		case n > 0 && best < 0:
			best = i
		}
	}
	return best
}

// matching counts the keys that an item has; -1 if a key has another value. A
// missing key counts as null.
func (s Step) matching(x any) (n int) {
	for _, k := range s.Keys {
		have := Key{Value: x}
		if k.Name != "" {
			m, ok := x.(map[string]any)
			if !ok {
				return -1
			}
			if have.Value, ok = m[k.Name]; !ok && k.Value != nil {
				continue
			}
		}
		if have.Text() != k.Text() {
			return -1
		}
		n++
	}
	return n
}
