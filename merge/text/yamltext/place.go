package yamltext

import (
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// Place is the position of a value in a text, with the places of everything in
// it.
type Place struct {
	// Line is the line of the value's key or of the item's dash, from 1; 0 for
	// the whole object.
	Line   int
	fields map[string]*Place
	items  []*Place
	value  any
	all    *fieldpath.Finder // of the whole text
}

// DecodedPlaces returns the text of Decoded without folded lines, and the places of
// everything in it.
func DecodedPlaces(o tree.Object) (string, *Place) {
	root := &Place{value: o, all: &fieldpath.Finder{}}
	return (&emitter{decoded: true, place: root}).print(o), root
}

// Find returns the place of the field at a path (exact is true), or of its
// nearest existing parent.
func (p *Place) Find(path fieldpath.Path) (at *Place, exact bool) {
	for _, s := range path {
		var next *Place
		if i := s.Index; s.IsIndex || s.Keys != nil {
			list, _ := p.value.([]any)
			if s.Keys != nil {
				i = p.all.Match(s, list)
			}
			if i >= 0 && i < len(p.items) {
				next = p.items[i]
			}
		} else {
			next = p.fields[s.Field]
		}
		if next == nil {
			return p, false
		}
		p = next
	}
	return p, true
}

// field returns the place of a field that is about to be written.
func (p *Place) field(x entry, e *emitter) *Place {
	if p == nil {
		return nil
	}
	if p.fields == nil {
		p.fields = map[string]*Place{}
	}
	p.fields[x.key] = &Place{Line: e.line(), value: x.value, all: p.all}
	return p.fields[x.key]
}

// item returns the place of the next item of a list.
func (p *Place) item(value any, e *emitter) *Place {
	if p == nil {
		return nil
	}
	p.items = append(p.items, &Place{Line: e.line(), value: value, all: p.all})
	return p.items[len(p.items)-1]
}

// line returns the number of the current line.
func (e *emitter) line() int {
	e.lines += strings.Count(e.buf.String()[e.counted:], "\n")
	e.counted = e.buf.Len()
	return e.lines + 1
}
