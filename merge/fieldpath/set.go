package fieldpath

// Set are paths, of which it is asked whether another one overlaps one of them: is it, or above or below
// it. Two paths are the same if they are written alike, by a function such as Path.String.
type Set struct{ at, above map[string]bool }

// Add adds a path.
func (s *Set) Add(p Path, as func(Path) string) {
	if s.at == nil {
		s.at, s.above = map[string]bool{}, map[string]bool{}
	}
	s.at[as(p)] = true
	for depth := range len(p) {
		s.above[as(p[:depth])] = true
	}
}

// Overlaps reports whether a path is one of the set, above or below one. Of nil it is false.
func (s *Set) Overlaps(p Path, as func(Path) string) bool {
	if s == nil {
		return false
	}
	if s.above[as(p)] {
		return true
	}
	for depth := len(p); depth >= 0; depth-- {
		if s.at[as(p[:depth])] {
			return true
		}
	}
	return false
}
