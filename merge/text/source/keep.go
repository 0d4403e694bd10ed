package source

import "slices"

// Keep says which parts of a value a decoder builds. The zero value builds
// nothing: the value is checked, and the result is true.
type Keep struct {
	All    bool
	Fields map[string]*Keep // of a mapping; other fields are left out
	Each   *Keep            // of each other field of a mapping
	Items  *Keep            // of each item of a list
}

// Everything keeps the whole value. Presence keeps only that it exists: the
// result is true. Type keeps everything, but texts may be empty.
var (
	Everything = &Keep{All: true}
	Presence   = &Keep{}
	Type       = &Keep{All: true}
)

// field returns what is kept of a field; nil for nothing.
func (k *Keep) field(name string) *Keep {
	switch {
	case k == nil || k.All:
		return k
	}
	if kept, named := k.Fields[name]; named {
		return kept
	}
	return k.Each
}

// item returns what is kept of the items of a list.
func (k *Keep) item() *Keep {
	if k == nil || k.All {
		return k
	}
	return k.Items
}

// builds returns k, or nil if the value is only checked.
func (k *Keep) builds() *Keep {
	if k == Presence {
		return nil
	}
	return k
}

// store puts the value of a key that k is of into m, unless it was only checked.
func (k *Keep) store(m map[string]any, key string, value any) {
	switch k {
	case nil:
	case Presence:
		m[key] = true
	default:
		m[key] = value
	}
}

// reads reports whether what a text says is needed.
func (k *Keep) reads() bool { return k != nil && k != Type }

// keyStack has the keys of the mappings that a decoder is in. It finds
// duplicate keys without building the mappings.
type keyStack []string

// manyKeys is room for the keys of most objects.
const manyKeys = 64

// keySet is the keys of one mapping: the part of the stack from an index on,
// and the greatest key. Most mappings are sorted and need no lookup.
type keySet struct {
	from int
	top  string
	all  map[string]bool // for a large mapping that is not sorted
}

// open begins a mapping.
func (keys *keyStack) open() keySet { return keySet{from: len(*keys)} }

// close ends the mapping.
func (keys *keyStack) close(s keySet) { *keys = (*keys)[:s.from] }

// add adds a key, and reports whether it is new.
func (keys *keyStack) add(s *keySet, key string) bool {
	if *keys == nil {
		*keys = make(keyStack, 0, manyKeys)
	}
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
