package source

import "slices"

// Keep says which parts of a value a decoder builds. The zero value builds
// none: the value is checked, and stands as true.
type Keep struct {
	All    bool
	Fields map[string]*Keep // of a mapping; the rest is left out
	Items  *Keep            // of each element of a list
}

// Everything keeps a value whole; Presence only that it is there: it stands as
// true.
var (
	Everything = &Keep{All: true}
	Presence   = &Keep{}
)

// field is what is kept of a field, nil for nothing.
func (k *Keep) field(name string) *Keep {
	if k == nil || k.All {
		return k
	}
	return k.Fields[name]
}

// item is what is kept of the elements of a list.
func (k *Keep) item() *Keep {
	if k == nil || k.All {
		return k
	}
	return k.Items
}

// builds is k, or nil if the value is only checked.
func (k *Keep) builds() *Keep {
	if k == Presence {
		return nil
	}
	return k
}

// keyStack holds the keys of the mappings that a decoder is in, to find those
// that are set twice without building the mappings.
type keyStack []string

// keySet are the keys of one mapping: those of the stack from an index on, and
// the greatest of them. Most mappings are sorted, so that nothing is looked up.
type keySet struct {
	from int
	top  string
	all  map[string]bool // once a large mapping is out of order
}

// open begins a mapping.
func (keys keyStack) open() keySet { return keySet{from: len(keys)} }

// close ends the mapping.
func (keys *keyStack) close(s keySet) { *keys = (*keys)[:s.from] }

// add adds a key, and reports whether it is new.
func (keys *keyStack) add(s *keySet, key string) bool {
	others := (*keys)[s.from:]
	*keys = append(*keys, key)
	if key > s.top || len(others) == 0 {
		s.top = key
		if s.all != nil {
			s.all[key] = true
		}
		return true
	}
	if s.all == nil && len(others) < 32 {
		return !slices.Contains(others, key)
	}
	if s.all == nil {
		s.all = make(map[string]bool, 2*len(others))
		for _, other := range others {
			s.all[other] = true
		}
	}
	known := s.all[key]
	s.all[key] = true
	return !known
}
