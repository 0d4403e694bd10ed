package fieldpath

// Find returns the value at the path in a tree of plain values, and whether it
// is there. A list element is found by its keys, the first that matches.
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
			i := s.match(list)
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

// match returns the index of the first element that the step selects, or -1.
func (s Step) match(list []any) int {
	for i, x := range list {
		if s.selects(x) {
			return i
		}
	}
	return -1
}

func (s Step) selects(x any) bool {
	for _, k := range s.Keys {
		have := Key{Value: x}
		if k.Name != "" {
			m, ok := x.(map[string]any)
			if !ok {
				return false
			}
			if have.Value, ok = m[k.Name]; !ok {
				return false
			}
		}
		if have.Text() != k.Text() {
			return false
		}
	}
	return true
}
