package source

import (
	"hash/maphash"
	"strings"
	"sync"

	"threeway/merge/tree"
)

// Shared is what objects have in common that are decoded with it: what a manager owns is
// the same in all objects made from one template, and stands in their managedFields at
// length. Such a part of a tree must not change.
type Shared struct {
	seeds  [2]maphash.Seed
	names  known // of fields, by themselves
	mu     sync.Mutex
	fields map[[2]uint64]tree.Object // by the hashes of their text
	count  int                       // of names
}

// known is a sync.Map, behind an interface as in package memo.
type known interface {
	Load(key any) (any, bool)
	Store(key, value any)
}

// mostShared is how many names, and how many sets of fields, are remembered.
const mostShared = 1 << 14

// NewShared returns one of no object.
func NewShared() *Shared {
	return &Shared{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, names: &sync.Map{}, fields: map[[2]uint64]tree.Object{}}
}

// name is one copy of the name of a field.
func (s *Shared) name(text string) string {
	if known, ok := s.names.Load(text); ok {
		return known.(string)
	}
	own := strings.Clone(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count < mostShared {
		s.count++
		s.names.Store(own, own)
	}
	return own
}

// member decodes the value of a field.
func (p *jsonParser) member(name string) (any, bool) {
	if p.shared != nil && name == "fieldsV1" {
		return p.ownedFields()
	}
	return p.value()
}

// ownedFields decodes the value at pos, what one manager owns. Texts that are the same
// have one tree: 128 bits of hashes with seeds of this run tell them apart.
func (p *jsonParser) ownedFields() (any, bool) {
	begin := p.peek()
	skip := newSkipper(p.text, new(Scratch))
	skip.pos, skip.depth = p.pos, p.depth
	if begin != '{' || !skip.skipObject() {
		return p.value()
	}
	text := p.text[p.pos:skip.pos]
	key := [2]uint64{maphash.String(p.shared.seeds[0], text), maphash.String(p.shared.seeds[1], text)}
	p.shared.mu.Lock()
	known := p.shared.fields[key]
	p.shared.mu.Unlock()
	if known != nil {
		p.pos = skip.pos
		return known, true
	}
	v, ok := p.value()
	if fields, is := tree.Part(v).(tree.Object); ok && is {
		p.shared.mu.Lock()
		if len(p.shared.fields) < mostShared {
			p.shared.fields[key] = fields
		}
		p.shared.mu.Unlock()
		v = fields
	}
	return v, ok
}

// arena has copies of the texts of one tree, so that the text that it was decoded from
// can go.
type arena struct{ room strings.Builder }

// arenaSize is how much is allocated at a time.
const arenaSize = 1 << 10

func (a *arena) copy(text string) string {
	if len(text) > arenaSize/4 {
		return strings.Clone(text)
	}
	if a.room.Cap()-a.room.Len() < len(text) {
		a.room = strings.Builder{}
		a.room.Grow(arenaSize)
	}
	from := a.room.Len()
	a.room.WriteString(text)
	return a.room.String()[from:]
}
