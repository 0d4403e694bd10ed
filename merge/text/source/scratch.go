package source

import "threeway/merge/tree"

// Scratch is memory that Layout.Item uses again for each object. The zero value
// is empty.
type Scratch struct {
	keys    keyStack
	objects []tree.Object
	used    int // so many objects are part of the last value
}

// maxReused is how many fields a mapping may have that is used again: clearing
// a large one costs more than making a small one.
const maxReused = 16

// start begins another object. What was read before is overwritten.
func (s *Scratch) start() *keyStack {
	s.used, s.keys = 0, s.keys[:0]
	return &s.keys
}

// object returns an empty mapping, which is a new one without a Scratch.
func (s *Scratch) object() tree.Object {
	if s == nil {
		return tree.Object{}
	}
	if s.used == len(s.objects) {
		s.objects = append(s.objects, tree.Object{})
	}
	m := s.objects[s.used]
	if len(m) > maxReused {
		m = tree.Object{}
		s.objects[s.used] = m
	}
	clear(m)
	s.used++
	return m
}
