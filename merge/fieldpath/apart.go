package fieldpath

// Apart are paths of which none is another, or above it. The zero value has none.
type Apart struct {
	at, above map[string]int
	size      int
}

// Add adds a path; ok is false, and n the number of the first that it overlaps, if there is one.
func (a *Apart) Add(p Path) (n int, ok bool) {
	if a.at == nil {
		a.at, a.above = map[string]int{}, map[string]int{}
	}
	n = a.size
	overlaps := func(index map[string]int, path Path) {
		if i, is := index[path.String()]; is {
			n = min(n, i)
		}
	}
	overlaps(a.above, p)
	for depth := range len(p) + 1 {
		overlaps(a.at, p[:depth])
	}
	if n < a.size {
		return n, false
	}
	for depth := range len(p) {
		text := p[:depth].String()
		if _, known := a.above[text]; !known {
			a.above[text] = n
		}
	}
	a.at[p.String()] = n
	a.size++
	return n, true
}
