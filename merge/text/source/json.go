package source

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"threeway/merge/tree"
)

// maxDepth is how deep JSON may nest (encoding/json scanner.go).
const maxDepth = 10000

// jsonParser decodes one JSON value of a text to the tree that sigs.k8s.io/json
// UnmarshalCaseSensitivePreserveInts makes, in one pass and without copying
// strings. It only reports that a text is invalid; jsonError gets the message
// from encoding/json.
type jsonParser struct {
	text  string
	pos   int
	depth int
	start int // offset of the document

	duplicates []Duplicate
	numberErr  error
	scratch    *Scratch // nil: the value is kept
	shared     *Shared  // nil: the value shares nothing with others
	copies     *arena   // nil: the value has parts of the text
	escaped    bool     // the last string is no part of the text
}

// document decodes the value at pos and moves past it.
func (p *jsonParser) document() (any, bool) {
	p.start = p.pos
	return p.value()
}

// value decodes the value after any white space.
func (p *jsonParser) value() (any, bool) {
	switch p.peek() {
	case '{':
		return p.object()
	case '[':
		return p.list()
	case '"':
		text, ok := p.string()
		if p.copies != nil && !p.escaped {
			text = p.copies.copy(text)
		}
		return text, ok
	case 't':
		return true, p.literal("true")
	case 'f':
		return false, p.literal("false")
	case 'n':
		return nil, p.literal("null")
	}
	return p.number()
}

// skipSpace moves to the next character that is not white space and returns it,
// or 0 at the end. It skips kubectl's indentation eight bytes at a time.
func (p *jsonParser) skipSpace() byte {
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; c {
		case ' ':
			if p.pos+8 > len(p.text) {
				p.pos++
				continue
			}
			if w := word(p.text[p.pos:]) ^ 0x2020202020202020; w != 0 {
				p.pos += bits.TrailingZeros64(w) / 8
			} else {
				p.pos += 8
			}
		case '\t', '\r', '\n':
			p.pos++
		default:
			return c
		}
	}
	return 0
}

// peek is skipSpace, inlined where there is no white space.
func (p *jsonParser) peek() (c byte) {
	if p.pos < len(p.text) {
		c = p.text[p.pos]
	}
	if c > ' ' {
		return
	}
	return p.skipSpace()
}

// word returns the first eight bytes of s.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func (p *jsonParser) literal(word string) bool {
	if !strings.HasPrefix(p.text[p.pos:], word) {
		return false
	}
	p.pos += len(word)
	return true
}

// open enters an object or list. ok is false if it is nested too deep.
func (p *jsonParser) open(end byte) (ok, empty bool) {
	p.pos++
	p.depth++
	if p.depth > maxDepth {
		return false, false
	}
	if p.peek() != end {
		return true, false
	}
	p.pos++
	p.depth--
	return true, true
}

// more moves past the comma after an element, or past the end.
func (p *jsonParser) more(end byte) (ok, more bool) {
	switch c := p.peek(); c {
	case ',':
		p.pos++
		return true, true
	case end:
		p.pos++
		p.depth--
		return true, false
	}
	return false, false
}

func (p *jsonParser) object() (any, bool) {
	m := p.scratch.object()
	ok, more := p.open('}')
	if !ok || more {
		return m, ok
	}
	begin := p.pos
	for more = true; more; {
		if p.peek() != '"' {
			return nil, false
		}
		at := p.pos
		key, ok := p.string()
		if !ok || p.peek() != ':' {
			return nil, false
		}
		p.pos++
		value, ok := p.member(key)
		if !ok {
			return nil, false
		}
		if p.copies != nil {
			key = p.shared.name(key)
		}
		before := len(m)
		if m[key] = value; len(m) == before {
			p.duplicate(key, begin, at)
		}
		if ok, more = p.more('}'); !ok {
			return nil, false
		}
	}
	return m, true
}

// duplicate records that the key at second is already in its object. Only now
// is the first one searched, from the beginning of the object.
func (p *jsonParser) duplicate(key string, begin, second int) {
	if len(p.duplicates) == MaxDuplicates {
		return
	}
	first, depth := -1, p.depth
	scan := jsonParser{text: p.text[:second], pos: begin, depth: depth}
	for first < 0 {
		scan.skipSpace()
		at := scan.pos
		found, ok := scan.string()
		if !ok {
			return
		}
		if found == key {
			first = at
		}
		scan.skipSpace()
		scan.pos++
		if _, ok := scan.value(); !ok {
			return
		}
		scan.skipSpace()
		scan.pos++
	}
	p.duplicates = append(p.duplicates, Duplicate{key, first - p.start, second - p.start})
}

func (p *jsonParser) list() (any, bool) {
	l := []any{}
	ok, more := p.open(']')
	if !ok || more {
		return l, ok
	}
	for more = true; more; {
		value, ok := p.value()
		if !ok {
			return nil, false
		}
		l = append(l, value)
		if ok, more = p.more(']'); !ok {
			return nil, false
		}
	}
	return l, true
}

// string decodes the string at pos.
func (p *jsonParser) string() (string, bool) {
	p.pos++
	begin := p.pos
	plain, ascii := true, true
	for ; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; {
		case c == '"':
			raw := p.text[begin:p.pos]
			p.pos++
			p.escaped = !plain
			if plain && (ascii || utf8.ValidString(raw)) {
				return raw, true
			}
			return unescape(raw)
		case c == '\\':
			plain = false
			p.pos++
		case c < ' ':
			return "", false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return "", false
}

// unescape decodes the inside of a JSON string. Invalid UTF-8, or half of a
// surrogate pair, becomes U+FFFD.
func unescape(raw string) (string, bool) {
	var b strings.Builder
	b.Grow(len(raw) - strings.Count(raw, `\`)) // right for most, which have no \u
	for raw != "" {
		next := strings.IndexByte(raw, '\\')
		if next < 0 {
			next = len(raw)
		}
		writeValid(&b, raw[:next])
		if raw = raw[next:]; raw == "" {
			break
		}
		if len(raw) == 1 {
			return "", false
		}
		if raw[1] == 'u' {
			r, ok := hex4(raw)
			if !ok {
				return "", false
			}
			raw = raw[6:]
			if utf16.IsSurrogate(r) {
				low, _ := hex4(raw)
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					raw = raw[6:]
				}
			}
			b.WriteRune(r)
			continue
		}
		n := strings.IndexByte(`"\/bfnrt`, raw[1])
		if n < 0 {
			return "", false
		}
		b.WriteByte("\"\\/\b\f\n\r\t"[n])
		raw = raw[2:]
	}
	return b.String(), true
}

// writeValid writes a text with U+FFFD for each byte that is not UTF-8.
func writeValid(b *strings.Builder, text string) {
	if utf8.ValidString(text) {
		b.WriteString(text)
		return
	}
	for _, r := range text {
		b.WriteRune(r)
	}
}

// hex4 decodes the \uXXXX at the beginning of s.
func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range []byte(s[2:6]) {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// number decodes a number that kubectl writes as an integer of 64 bits, such as 1.0,
// as int64, and any other as float64.
func (p *jsonParser) number() (any, bool) {
	begin := p.pos
	p.accept("-")
	if !p.accept("0") && p.digits() == 0 {
		return nil, false
	}
	whole := true
	if p.accept(".") {
		whole = false
		if p.digits() == 0 {
			return nil, false
		}
	}
	if p.accept("eE") {
		whole = false
		p.accept("+-")
		if p.digits() == 0 {
			return nil, false
		}
	}
	text := p.text[begin:p.pos]
	if whole {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n, true
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && p.numberErr == nil {
		p.numberErr = fmt.Errorf("json: cannot unmarshal number %s into Go value of type float64", text)
	}
	return tree.Float(f), true
}

// accept moves past the next character if it is one of those in set.
func (p *jsonParser) accept(set string) bool {
	if p.pos < len(p.text) && strings.IndexByte(set, p.text[p.pos]) >= 0 {
		p.pos++
		return true
	}
	return false
}

// digits moves past digits and returns how many there were.
func (p *jsonParser) digits() int {
	begin := p.pos
	for p.pos < len(p.text) && '0' <= p.text[p.pos] && p.text[p.pos] <= '9' {
		p.pos++
	}
	return p.pos - begin
}
