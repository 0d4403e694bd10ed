package source

import (
	"strings"
)

// Layout is how the items of a List are written, so that they can be told apart
// without decoding the List: as JSON, or as the block YAML of kubectl.
type Layout interface {
	// Head finds the first item: its offset, given the begin of the file.
	Head(text string) (first int, ok bool)
	// Guess finds what looks like the begin of an item in a text: its offset,
	// or -1.
	Guess(text string) int
	// Item reads the item that text begins with, as far as it is kept. last
	// says that text goes to the end of the file.
	Item(text string, last bool, k *Keep) (e Element, ok bool)
}

// LayoutOf is the layout of a text that may be a List, of items within the limit.
func LayoutOf(text string, limit Limit) (l Layout, isJSON bool) {
	if strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") {
		return jsonItems{}, true
	}
	return yamlItems{limit}, false
}

// Element is one item of a List.
type Element struct {
	Value any // what is kept of it
	// Length is that of its text, Gap that of what is before the next one. More
	// is false after the last item.
	Length, Gap int
	More        bool
	// Short says that the text ends before the item does.
	Short bool
}

// jsonItems is a List as JSON, with any white space.
type jsonItems struct{}

func (jsonItems) Head(text string) (first int, ok bool) {
	s := jsonSkipper{jsonParser: jsonParser{text: text}}
	s.skipSpace()
	if ok, empty := s.open('}'); !ok || empty {
		return 0, false
	}
	for more := true; more; {
		if s.skipSpace() != '"' {
			return 0, false
		}
		key, ok := s.key()
		if !ok || s.skipSpace() != ':' {
			return 0, false
		}
		s.pos++
		if key == "items" {
			if s.skipSpace() != '[' {
				return 0, false
			}
			s.pos++
			begins := s.skipSpace() == '{'
			return s.pos, begins
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

// Guess looks for what kubectl writes between two elements.
func (jsonItems) Guess(text string) int {
	const between = "\n        },\n        {\n"
	if at := strings.Index(text, between); at >= 0 {
		return at + len(between) - len("{\n")
	}
	return -1
}

func (jsonItems) Item(text string, last bool, k *Keep) (e Element, ok bool) {
	s := jsonSkipper{jsonParser: jsonParser{text: text}}
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

// yamlItems is a List as block YAML, whose dashes are at the margin.
type yamlItems struct{ limit Limit }

func (yamlItems) Head(text string) (first int, ok bool) {
	for at := 0; at < len(text); {
		line, _, found := strings.Cut(text[at:], "\n")
		if !found || strings.HasPrefix(line, "-") {
			return 0, false
		}
		at += len(line) + 1
		if line == "items:" {
			return at, strings.HasPrefix(text[at:], "- ")
		}
	}
	return 0, false
}

func (yamlItems) Guess(text string) int {
	if at := strings.Index(text, "\n- "); at >= 0 {
		return at + 1
	}
	return -1
}

// Item ends before the next line that begins at the margin and is no
// comment.
func (l yamlItems) Item(text string, last bool, k *Keep) (e Element, ok bool) {
	end := 0
	for end < len(text) {
		n := strings.IndexByte(text[end:], '\n')
		if n < 0 {
			break
		}
		end += n + 1
		if end == len(text) {
			break
		}
		if c := text[end]; c != ' ' && c != '\n' && c != '#' {
			e.More = strings.HasPrefix(text[end:], "- ")
			e.Length = end
			break
		}
	}
	if e.Length == 0 {
		if !last {
			e.Short = true
			return e, true
		}
		if end < len(text) {
			return e, false // the last line is cut off
		}
		e.Length = end
	} else if !last && len(text)-end < len("- ") {
		e.Short = true
		return e, true
	}
	v, twice, ok := DecodeElement(text[:e.Length], k, l.limit)
	e.Value = v
	return e, ok && !twice
}
