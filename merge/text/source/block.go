package source

import (
	"strings"

	"threeway/merge/tree"
)

// blockParser decodes the block YAML that people and kubectl write, many times
// as fast as a parser of all YAML, with the same result. It decodes one
// document and gives up (ok is false) at anything unusual: anchors, tags, tabs
// in the structure, odd keys, and every error. Whatever it accepts it decodes
// like decodeYAML's general parser; FuzzBlock compares the two.
type blockParser struct {
	text string
	// at is where the content of the current line begins, end where the line
	// ends; column is the column of at, from 0.
	at, end, column int
	tabs            bool // the text has tabs somewhere
	twice           bool // a mapping has a duplicate key
	depth           int
	limit           Limit // for text that only a general parser can read
	// keys are the keys of mappings that are skipped, to find duplicates.
	keys *keyStack
	// scratch is nil if the value is kept.
	scratch *Scratch
	// block is the end of the last block scalar.
	block int
}

// maxBlockDepth limits the recursion; the general parser goes deeper.
const maxBlockDepth = 1000

// decodeBlock decodes a document that ends with a line break.
func decodeBlock(text string, k *Keep, limit Limit, scratch *Scratch) (value tree.Object, twice, ok bool) {
	p, ok := blockRoot(text, scratch)
	if !ok {
		return nil, false, false
	}
	p.limit = limit
	v, ok := p.mapping(p.column, k)
	object, _ := v.(tree.Object)
	return object, p.twice, ok && p.at == len(text)
}

// blockRoot returns a parser at the first line of a document's value.
func blockRoot(text string, scratch *Scratch) (p *blockParser, ok bool) {
	if p, ok = newBlockParser(text, scratch); ok && p.separator() {
		ok = !p.odd() && p.ends(p.at+len("---")) && p.next() && !p.separator()
	}
	return p, ok
}

// newBlockParser returns a parser at the first line with content.
func newBlockParser(text string, scratch *Scratch) (p *blockParser, ok bool) {
	if !strings.HasSuffix(text, "\n") || !plainText(text) {
		return nil, false
	}
	p = &blockParser{text: text, end: -1, tabs: strings.IndexByte(text, '\t') >= 0, scratch: scratch}
	if scratch == nil {
		p.keys = new(keyStack)
	} else {
		p.keys = scratch.start()
	}
	return p, p.next()
}

// next moves to the next line with content, which is neither blank nor a
// comment, or to the end.
func (p *blockParser) next() bool {
	for pos := p.end + 1; pos < len(p.text); {
		p.end = pos + strings.IndexByte(p.text[pos:], '\n')
		at := pos
		for at < p.end && p.text[at] == ' ' {
			at++
		}
		if at < p.end && p.text[at] != '#' {
			p.at, p.column = at, at-pos
			return true
		}
		pos = p.end + 1
	}
	p.at, p.end, p.column = len(p.text), len(p.text), -1
	return false
}

// separator reports whether the line is a separator between documents.
func (p *blockParser) separator() bool {
	return p.column == 0 && strings.HasPrefix(p.text[p.at:p.end], "---")
}

// odd reports whether the rest of the line has a tab.
func (p *blockParser) odd() bool {
	return p.tabs && strings.IndexByte(p.text[p.at:p.end], '\t') >= 0
}

// dash reports whether the content begins a list item.
func (p *blockParser) dash() bool {
	return p.at < p.end && p.text[p.at] == '-' && (p.at+1 == p.end || p.text[p.at+1] == ' ')
}

// mapping decodes the mapping whose keys are at the column.
func (p *blockParser) mapping(column int, k *Keep) (any, bool) {
	if p.depth++; p.depth > maxBlockDepth {
		return nil, false
	}
	var m tree.Object
	if k != nil {
		m = p.scratch.object()
	}
	seen := p.keys.open()
	for p.column == column {
		key, after, ok := p.key()
		if !ok {
			return nil, false
		}
		p.twice = p.twice || !p.keys.add(&seen, key)
		if k == nil && p.text[after:p.end] == " {}" { // most in managedFields
			p.next()
			continue
		}
		kept := k.field(key)
		value, ok := p.afterKey(after, column, kept.builds())
		if !ok {
			return nil, false
		}
		kept.store(m, key, value)
	}
	p.keys.close(seen)
	p.depth--
	return m, p.column < column
}

// afterKey decodes the value of a key, on its line or below it, and moves to
// the line after it.
func (p *blockParser) afterKey(at, column int, k *Keep) (any, bool) {
	if at = p.skipBlanks(at); at < p.end && p.text[at] != '#' {
		return p.scalar(at, column, k)
	}
	switch p.next(); {
	case p.column > column:
		return p.below(k)
	case p.column == column && p.dash():
		return p.sequence(column, k)
	}
	return nil, true
}

// below decodes a collection that begins on the current line.
func (p *blockParser) below(k *Keep) (any, bool) {
	if p.dash() {
		return p.sequence(p.column, k)
	}
	return p.mapping(p.column, k)
}

// sequence decodes the list whose dashes are at the column.
func (p *blockParser) sequence(column int, k *Keep) (any, bool) {
	var list []any
	if k != nil {
		list = []any{}
	}
	for p.column == column && p.dash() {
		if p.odd() {
			return nil, false
		}
		value, ok := p.element(column, k.item())
		if !ok {
			return nil, false
		}
		if k != nil {
			list = append(list, value)
		}
	}
	return list, p.column <= column
}

// element decodes the list item that begins on the current line.
func (p *blockParser) element(column int, k *Keep) (any, bool) {
	at := p.skipBlanks(p.at + 1)
	if at == p.end || p.text[at] == '#' {
		if p.next(); p.column > column {
			return p.below(k)
		}
		return nil, true
	}
	start := p.at
	p.column += at - p.at
	p.at = at
	if p.dash() {
		return p.sequence(p.column, k)
	}
	if p.hasKey() {
		return p.mapping(p.column, k)
	}
	p.column -= at - start
	p.at = start
	return p.scalar(at, column, k)
}

func (p *blockParser) skipBlanks(at int) int {
	for at < p.end && p.text[at] == ' ' {
		at++
	}
	return at
}

// hasKey reports whether the content begins with a key.
func (p *blockParser) hasKey() bool {
	switch p.text[p.at] {
	case '"', '\'':
		_, _, ok := p.key()
		return ok
	case '{', '[':
		return false
	}
	for i := p.at; i < p.end; i++ {
		switch c := p.text[i]; {
		case c == ':' && (i+1 == p.end || p.text[i+1] == ' '):
			return true
		case c == '#' && p.text[i-1] == ' ':
			return false
		}
	}
	return false
}

// maxKey is shorter than the longest key that YAML allows.
const maxKey = 1000

// key decodes the key at the beginning of the content. after is the offset
// after its colon.
func (p *blockParser) key() (key string, after int, ok bool) {
	if p.odd() || p.dash() || p.column == 0 && strings.HasPrefix(p.text[p.at:p.end], "...") {
		return "", 0, false
	}
	switch p.text[p.at] {
	case '"', '\'':
		key, length, ok := unquote(p.text[p.at:p.end], true)
		i := p.at + length
		if !ok || i >= p.end || p.text[i] != ':' || i+1 < p.end && p.text[i+1] != ' ' || length > maxKey {
			return "", 0, false
		}
		return key, i + 1, true
	}
	if n := letters(p.text[p.at:p.end]); n > longestKeyword && n <= maxKey {
		if i := p.at + n; i < p.end && p.text[i] == ':' && (i+1 == p.end || p.text[i+1] == ' ') {
			return p.text[p.at:i], i + 1, true
		}
	}
	for i := p.at; i < p.end; i++ {
		switch c := p.text[i]; {
		case c == ':' && (i+1 == p.end || p.text[i+1] == ' '):
			key = p.text[p.at:i]
			return key, i + 1, i-p.at <= maxKey && plainKeyword(key)
		case c == '#' && i > p.at && p.text[i-1] == ' ':
			return "", 0, false
		}
	}
	return "", 0, false
}

// plainKeyword reports whether a plain key is an ordinary string.
func plainKeyword(key string) bool {
	if key == "" || !startsPlain(key) || key[len(key)-1] == ' ' {
		return false
	}
	switch classify(key) {
	case isText, isInteger:
		return true
	case isOdd:
		text, ok := plainValue(key, Everything)
		return ok && text == any(key)
	}
	return false
}
