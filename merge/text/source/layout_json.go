package source

import "strings"

// jsonItems is a List as JSON, with any white space.
type jsonItems struct{ opening string }

// jsonHead is the offset of the first item.
func jsonHead(text string) (first int, ok bool) {
	s := newSkipper(text, new(Scratch))
	if s.skipSpace() == '[' {
		s.pos++
		return jsonFirst(&s)
	}
	if ok, empty := s.open('}'); !ok || empty {
		return 0, false
	}
	for more := true; more; {
		key, ok := s.field()
		if !ok {
			return 0, false
		}
		if key == "items" {
			if s.skipSpace() != '[' {
				return 0, false
			}
			s.pos++
			return jsonFirst(&s)
		}
		if _, ok := s.value(nil); !ok {
			return 0, false
		}
		if ok, more = s.more('}'); !ok {
			return 0, false
		}
	}
	return 0, false
}

func jsonFirst(s *jsonSkipper) (first int, ok bool) {
	begins := s.skipSpace() == '{'
	return s.pos, begins
}

// field moves past a key and its colon.
func (s *jsonSkipper) field() (key string, ok bool) {
	if s.skipSpace() != '"' {
		return "", false
	}
	key, ok = s.key()
	if !ok || s.skipSpace() != ':' {
		return "", false
	}
	s.pos++
	return key, true
}

func (jsonItems) Form() Form { return FormJSON }

func (j jsonItems) Guess(text string) int { return guess(text, j.opening) }

func (jsonItems) Item(text string, last bool, k *Keep, scratch *Scratch) (e Element, ok bool) {
	s := newSkipper(text, scratch)
	if e.Value, ok = s.value(k); !ok {
		return e, false
	}
	e.Length = s.pos
	switch s.skipSpace() {
	case ',':
		s.pos++
		if c := s.skipSpace(); c != '{' {
			e.Short = c == 0
			return e, e.Short
		}
		e.More = true
	case ']':
	case 0:
		e.Short = true
		return e, true
	default:
		return e, false
	}
	e.Gap = s.pos - e.Length
	return e, true
}

// Tail ends with the object that contains the list.
func (jsonItems) Tail(text string, last bool) (length int, ok bool) {
	if !strings.HasPrefix(text, "]") {
		return 0, false
	}
	s := newSkipper(text, new(Scratch))
	s.pos, s.depth = 1, 1
	for {
		ok, more := s.more('}')
		if !ok {
			return cut(last)
		}
		if !more {
			return s.pos, true
		}
		if _, ok = s.field(); ok {
			_, ok = s.value(nil)
		}
		if !ok {
			return cut(last)
		}
	}
}

// cut is the result of Tail for a text that ends too early.
func cut(last bool) (length int, ok bool) {
	if last {
		return 0, false
	}
	return -1, true
}

// jsonDocuments are objects as JSON, one after the other.
type jsonDocuments struct{ jsonItems }

// Guess prefers the beginning of a line.
func (j jsonDocuments) Guess(text string) int {
	if at := guess(text, "\n"+j.opening); at >= 0 {
		return at + 1
	}
	return guess(text, j.opening)
}

func (jsonDocuments) Item(text string, last bool, k *Keep, scratch *Scratch) (e Element, ok bool) {
	s := newSkipper(text, scratch)
	if e.Value, ok = s.value(k); !ok {
		return e, false
	}
	e.Length = s.pos
	c := s.skipSpace()
	e.Gap, e.More = s.pos-e.Length, c == '{'
	e.Short = c == 0 && !last
	return e, e.More || c == 0
}

func (jsonDocuments) Tail(text string, last bool) (length int, ok bool) { return 0, true }
