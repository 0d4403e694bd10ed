package source

import (
	"math/bits"
	"strings"
)

// jsonSkipper checks JSON as jsonParser does, and builds only the parts to
// keep. The text must be UTF-8. It gives up at anything unusual: duplicate
// keys, and numbers that may be out of range.
type jsonSkipper struct {
	jsonParser
	keys *keyStack
}

// newSkipper returns a skipper at the beginning of a text.
func newSkipper(text string, s *Scratch) jsonSkipper {
	return jsonSkipper{jsonParser{text: text, scratch: s}, s.start()}
}

// value decodes the value after any white space, and builds what is kept.
func (s *jsonSkipper) value(k *Keep) (any, bool) {
	c := s.peek()
	switch {
	case c == '"' && k == Type:
		return "", s.skipString()
	case k == Everything, k == Type && c != '{' && c != '[':
		v, ok := s.jsonParser.value()
		return v, ok && s.duplicates == nil && s.numberErr == nil
	}
	switch c {
	case '{':
		if k == nil {
			return nil, s.skipObject()
		}
		return s.object(k)
	case '[':
		return s.list(k)
	case '"':
		return nil, s.skipString()
	case 't':
		return nil, s.literal("true")
	case 'f':
		return nil, s.literal("false")
	case 'n':
		return nil, s.literal("null")
	}
	return nil, s.skipNumber()
}

func (s *jsonSkipper) object(k *Keep) (any, bool) {
	m := s.scratch.object()
	ok, empty := s.open('}')
	if !ok || empty {
		return m, ok
	}
	seen := s.keys.open()
	for more := true; more; {
		if s.peek() != '"' {
			return nil, false
		}
		key, ok := s.key()
		if !ok || !s.keys.add(&seen, key) || s.peek() != ':' {
			return nil, false
		}
		s.pos++
		kept := k.field(key)
		value, ok := s.value(kept.builds())
		if !ok {
			return nil, false
		}
		kept.store(m, key, value)
		if ok, more = s.more('}'); !ok {
			return nil, false
		}
	}
	s.keys.close(seen)
	return m, true
}

// skipObject moves past the object at pos. Most of the text of a snapshot is in
// such objects: what managers own, {"f:spec":{"f:replicas":{}}}.
func (s *jsonSkipper) skipObject() bool {
	ok, empty := s.open('}')
	if !ok || empty {
		return ok
	}
	seen := s.keys.open()
	for more := true; more; {
		if s.peek() != '"' {
			return false
		}
		key, ok := s.key()
		if !ok || !s.keys.add(&seen, key) || s.peek() != ':' {
			return false
		}
		s.pos++
		if s.depth < maxDepth && strings.HasPrefix(s.text[s.pos:], "{}") {
			s.pos += len("{}")
		} else if _, ok := s.value(nil); !ok {
			return false
		}
		if ok, more = s.more('}'); !ok {
			return false
		}
	}
	s.keys.close(seen)
	return true
}

func (s *jsonSkipper) list(k *Keep) (any, bool) {
	var l []any
	ok, empty := s.open(']')
	if !ok || empty {
		return l, ok
	}
	for more := true; more; {
		value, ok := s.value(k.item())
		if !ok {
			return nil, false
		}
		if k != nil {
			l = append(l, value)
		}
		if ok, more = s.more(']'); !ok {
			return nil, false
		}
	}
	return l, true
}

// key decodes the string at pos, most often without looking at it twice.
func (s *jsonSkipper) key() (string, bool) {
	if key, ok := plainQuoted(s.text[s.pos+1:]); ok {
		s.pos += len(key) + 2
		return key, true
	}
	return s.string()
}

// plainQuoted returns what is before the quote that ends a text without escapes
// and control characters. It gives up near the end.
func plainQuoted(text string) (inside string, ok bool) {
	for i := 0; i+8 <= len(text); {
		n := plainBytes(word(text[i:]))
		if i += n; n < 8 {
			return text[:i], text[i] == '"'
		}
	}
	return "", false
}

// skipString moves past the string at pos.
func (s *jsonSkipper) skipString() bool {
	text := s.text
	for i := s.pos + 1; i < len(text); {
		if i+8 <= len(text) {
			n := plainBytes(word(text[i:]))
			i += n
			if n == 8 {
				continue
			}
			if text[i:min(i+2, len(text))] == `\"` { // JSON in a string has many
				i += 2
				continue
			}
		}
		switch c := text[i]; {
		case c == '"':
			s.pos = i + 1
			return true
		case c == '\\':
			n := escape(text[i:])
			if n == 0 {
				return false
			}
			i += n
		case c < ' ':
			return false
		default:
			i++
		}
	}
	return false
}

// escape returns the length of the escape at the beginning of s; 0 if it is
// invalid.
func escape(s string) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hex4(s); ok {
			return 6
		}
	}
	return 0
}

// skipNumber moves past the number at pos. It gives up at long numbers and
// those with exponents, which may be out of range.
func (s *jsonSkipper) skipNumber() bool {
	begin := s.pos
	s.accept("-")
	if !s.accept("0") && s.digits() == 0 {
		return false
	}
	if s.accept(".") && s.digits() == 0 {
		return false
	}
	if s.pos < len(s.text) && (s.text[s.pos]|0x20 == 'e' || s.pos-begin > 300) {
		s.pos = begin
		_, ok := s.number()
		return ok && s.numberErr == nil
	}
	return true
}

// plainBytes counts the bytes at the beginning of a word before the first
// quote, backslash or control character. Such a byte gets its high bit set;
// borrows affect only the bytes after it.
func plainBytes(w uint64) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	quote, slash := w^ones*'"', w^ones*'\\'
	special := ((w - ones*' ') &^ w) | ((quote - ones) &^ quote) | ((slash - ones) &^ slash)
	return bits.TrailingZeros64(special&high) / 8
}
