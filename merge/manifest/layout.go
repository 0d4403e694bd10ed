package manifest

import (
	"strings"

	"threeway/merge/tree"
)

// jsonLayout is a List as JSON, with any white space.
type jsonLayout struct{}

func (jsonLayout) head(text string) (first int, ok bool) {
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

// guess looks for what kubectl writes between two elements.
func (jsonLayout) guess(text string) int {
	const between = "\n        },\n        {\n"
	if at := strings.Index(text, between); at >= 0 {
		return at + len(between) - len("{\n")
	}
	return -1
}

func (jsonLayout) element(text string, last bool) (e element, ok bool) {
	s := jsonSkipper{jsonParser: jsonParser{text: text}}
	v, ok := s.value(entryParts())
	if !ok {
		return e, false
	}
	e.length = s.pos
	switch s.skipSpace() {
	case ',':
		s.pos++
		if c := s.skipSpace(); c != '{' {
			e.short = c == 0
			return e, e.short
		}
		e.more = true
	case ']':
	case 0:
		e.short = true
		return e, true
	default:
		return e, false
	}
	e.gap = s.pos - e.length
	return e, e.fill(v)
}

// fill makes the entry of the parts of an object.
func (e *element) fill(v any) bool {
	obj, _ := v.(tree.Object)
	if _, list := obj["items"]; list || obj == nil {
		return false
	}
	e.entry, e.newest = newEntry(obj), newestWrite(obj)
	return e.entry.Kind.Kind != "" && e.entry.Kind.Version != ""
}

// yamlLayout is a List as block YAML, whose dashes are at the margin.
type yamlLayout struct{}

func (yamlLayout) head(text string) (first int, ok bool) {
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

func (yamlLayout) guess(text string) int {
	if at := strings.Index(text, "\n- "); at >= 0 {
		return at + 1
	}
	return -1
}

// element ends before the next line that begins at the margin and is no
// comment.
func (yamlLayout) element(text string, last bool) (e element, ok bool) {
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
			e.more = strings.HasPrefix(text[end:], "- ")
			e.length = end
			break
		}
	}
	if e.length == 0 {
		if !last {
			e.short = true
			return e, true
		}
		if end < len(text) {
			return e, false // the last line is cut off
		}
		e.length = end
	} else if !last && len(text)-end < len("- ") {
		e.short = true
		return e, true
	}
	v, twice, ok := decodeElement(text[:e.length], entryParts())
	return e, ok && !twice && e.fill(v)
}
