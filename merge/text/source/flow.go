package source

import (
	"math/bits"
	"strings"

	"threeway/merge/tree"
)

// flowParser decodes flow style, "{a: [1, 'b']}", over any number of lines, as
// KYAML and many scripts write it. Like blockParser, it gives up (ok is false)
// at anything unusual: anchors, tags, tabs in the structure, keys without a
// value, and every error. Whatever it accepts it decodes like the general
// parser; FuzzFlow compares the two.
type flowParser struct {
	text  string
	pos   int
	depth int
	twice bool // a mapping has a duplicate key
	keys  *keyStack
	// scratch is nil if the value is kept.
	scratch *Scratch
}

// newFlowParser returns a parser for a value that is kept.
func newFlowParser(text string, pos int) flowParser {
	return flowParser{text: text, pos: pos, keys: new(keyStack)}
}

// decodeFlow decodes a document that is a flow mapping and ends with a line break.
func decodeFlow(text string, k *Keep, scratch *Scratch) (value tree.Object, twice, ok bool) {
	root, ok := blockRoot(text, scratch)
	if !ok || root.text[root.at] != '{' {
		return nil, false, false
	}
	p := flowParser{text: text, pos: root.at, keys: root.keys, scratch: scratch}
	v, ok := p.value(k)
	object, _ := v.(tree.Object)
	return object, p.twice, ok && p.space() == 0 && p.pos == len(text)
}

// flow decodes the flow collection at an offset of the current line, and moves
// to the line after its end.
func (p *blockParser) flow(at int, k *Keep) (any, bool) {
	before := p.keys.open()
	f := flowParser{text: p.text, pos: at, keys: p.keys, scratch: p.scratch}
	v, ok := f.value(k)
	line := p.end
	if ok && f.pos > p.end {
		p.end = f.pos + strings.IndexByte(p.text[f.pos:], '\n')
	}
	if !ok || !p.ends(f.pos) {
		p.end = line
		p.keys.close(before)
		return p.flowLine(at)
	}
	p.twice = p.twice || f.twice
	p.next()
	return v, true
}

// value decodes the value after any white space, and builds what is kept.
func (p *flowParser) value(k *Keep) (any, bool) {
	switch p.peek() {
	case '{':
		if k == nil && p.depth < maxBlockDepth && strings.HasPrefix(p.text[p.pos:], "{}") { // most in managedFields
			p.pos += len("{}")
			return nil, true
		}
		return p.object(k)
	case '[':
		return p.list(k)
	case '"', '\'':
		text, ok := p.quoted(k.reads())
		if k == nil {
			return nil, ok
		}
		return text, ok
	}
	return p.plain(k)
}

// peek is space, inlined where there is nothing to move past.
func (p *flowParser) peek() (c byte) {
	if p.pos < len(p.text) {
		c = p.text[p.pos]
	}
	if c > '#' {
		return
	}
	return p.space()
}

// space moves past white space and comments, and returns the next character; 0
// at the end, and if only the general parser can continue.
func (p *flowParser) space() byte {
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; c {
		case '\n':
			if indicatesDocument(p.text[p.pos+1:]) {
				return 0
			}
			p.pos++
			for p.pos+8 <= len(p.text) { // indentation
				w := word(p.text[p.pos:]) ^ 0x2020202020202020
				if w != 0 {
					p.pos += bits.TrailingZeros64(w) / 8
					break
				}
				p.pos += 8
			}
		case ' ':
			p.pos++
		case '#':
			if p.pos > 0 && p.text[p.pos-1] != ' ' && p.text[p.pos-1] != '\n' {
				return 0
			}
			end := strings.IndexByte(p.text[p.pos:], '\n')
			if end < 0 {
				return 0
			}
			p.pos += end
		default:
			return c
		}
	}
	return 0
}

// indicatesDocument reports whether a line begins like one that ends a
// document.
func indicatesDocument(line string) bool {
	return strings.HasPrefix(line, "---") || strings.HasPrefix(line, "...")
}

// open enters a collection. ok is false if it is nested too deep; more is false
// if it is empty.
func (p *flowParser) open(end byte) (ok, more bool) {
	p.pos++
	if p.depth++; p.depth > maxBlockDepth {
		return false, false
	}
	return true, !p.closed(end)
}

// closed moves past the end of a collection, if pos is there.
func (p *flowParser) closed(end byte) bool {
	if p.peek() != end {
		return false
	}
	p.pos++
	p.depth--
	return true
}

// next moves past the comma after an item, and past the end, which may follow a
// comma.
func (p *flowParser) next(end byte) (ok, more bool) {
	if p.closed(end) {
		return true, false
	}
	if p.peek() != ',' {
		return false, false
	}
	p.pos++
	return true, !p.closed(end)
}

func (p *flowParser) object(k *Keep) (any, bool) {
	var m tree.Object
	if k != nil {
		m = p.scratch.object()
	}
	ok, more := p.open('}')
	seen := p.keys.open()
	for ok && more {
		key, isKey := p.key()
		if !isKey {
			return nil, false
		}
		p.twice = !p.keys.add(&seen, key) || p.twice
		kept := k.field(key)
		var value any
		if c := p.peek(); c != ',' && c != '}' {
			if value, ok = p.value(kept.builds()); !ok {
				return nil, false
			}
		}
		kept.store(m, key, value)
		ok, more = p.next('}')
	}
	p.keys.close(seen)
	return m, ok
}

func (p *flowParser) list(k *Keep) (any, bool) {
	var l []any
	if k != nil {
		l = []any{}
	}
	ok, more := p.open(']')
	for ok && more {
		value, isValue := p.value(k.item())
		if !isValue {
			return nil, false
		}
		if k != nil {
			l = append(l, value)
		}
		ok, more = p.next(']')
	}
	return l, ok
}

// key decodes a key, which is on one line, and moves past its colon.
func (p *flowParser) key() (key string, ok bool) {
	c := p.peek()
	begin := p.pos
	if n := letters(p.text[begin:]); n > longestKeyword && strings.HasPrefix(p.text[begin+n:], ": ") && n <= maxKey {
		p.pos += n + 1
		return p.text[begin : begin+n], true
	}
	if c == '"' || c == '\'' {
		if key, ok = plainQuoted(p.text[begin+1:]); ok && c == '"' {
			p.pos += len(key) + 2
		} else if key, ok = p.quoted(true); !ok || strings.IndexByte(p.text[begin:p.pos], '\n') >= 0 {
			return "", false
		}
		if p.pos-begin > maxKey {
			return "", false
		}
		for p.pos < len(p.text) && p.text[p.pos] == ' ' {
			p.pos++
		}
		if p.pos == len(p.text) || p.text[p.pos] != ':' {
			return "", false
		}
		p.pos++
		return key, true
	}
	if !startsFlowPlain(p.text[begin:]) {
		return "", false
	}
	for i := begin; i < len(p.text) && i-begin <= maxKey; i++ {
		switch p.text[i] {
		case ':':
			if next := p.text[i+1:]; next == "" || next[0] != ' ' && next[0] != '\n' {
				continue
			}
			p.pos = i + 1
			key = strings.TrimRight(p.text[begin:i], " ")
			return key, plainKeyword(key)
		case '#', '\n', '\t', ',', '[', ']', '{', '}', '?', '"', '\'':
			return "", false
		}
	}
	return "", false
}
