// Package yamltext prints plain values as kubectl prints objects: byte for byte
// what sigs.k8s.io/yaml.Marshal prints. It is many times as fast, because it
// needs neither JSON nor a YAML parser.
//
// The form is that of go.yaml.in/yaml/v2: block style, indented by two, lists
// not indented in objects, keys in natural order, long lines folded at the
// first blank beyond column 80, and a scalar style for each string: plain if it
// reads back as the same string, a literal block if it has several lines,
// otherwise quotes. Its sources are named at each rule (encode.go, emitterc.go,
// resolve.go, sorter.go).
package yamltext

import (
	"fmt"
	"strconv"
	"strings"

	"threeway/merge/tree"
)

// YAML returns the text of an object; a nil one is "null". The library rejects
// strings with U+007F to U+009F, U+FFFE or U+FFFF; they are printed quoted,
// with these characters escaped.
func YAML(o tree.Object) string { return (&emitter{}).print(o) }

// Decoded returns the text for people to read: as YAML, but what has several lines is
// always a literal block, although a parser might not read every such block back.
func Decoded(o tree.Object) string { return (&emitter{decoded: true}).print(o) }

func (e *emitter) print(o tree.Object) string {
	e.indent, e.blank, e.fresh = -1, true, true
	e.buf.Grow(2048)
	e.node(o, false)
	e.startLine()
	return e.buf.String()
}

// emitter writes values and keeps track of the column. The flags are those of
// the library's emitter.
type emitter struct {
	buf     strings.Builder
	column  int  // in characters
	indent  int  // of the innermost object or list, -1 outside of any
	blank   bool // no blank is needed before the next text (whitespace)
	fresh   bool // only indentation and - ? : are on this line (indention)
	entries []entry
	decoded bool
	place   *Place // of the value being written; nil if places are not needed
	lines   int    // lines counted so far
	counted int
}

// node writes a value. inObject is set for a value or a long key of an object,
// where lists are not indented.
func (e *emitter) node(v any, inObject bool) {
	switch v := v.(type) {
	case nil:
		e.word("null")
	case string:
		e.text(clean(v))
	case int64:
		e.word(strconv.FormatInt(v, 10))
	case float64:
		e.word(formatFloat(v))
	case bool:
		e.word(strconv.FormatBool(v))
	case map[string]any:
		e.object(v)
	case []any:
		e.list(v, inObject)
	default:
		panic(fmt.Sprintf("yamltext: %T is no plain value", v))
	}
}

func (e *emitter) object(o map[string]any) {
	switch {
	case o == nil:
		e.word("null")
		return
	case len(o) == 0:
		e.word("{}")
		return
	}
	outer := e.indent
	e.deepen()
	first := len(e.entries)
	e.entries = appendSorted(e.entries, o)
	place := e.place
	for _, x := range e.entries[first:] {
		e.startLine()
		e.place = place.field(x, e)
		if style := choose(x.key, true); style.key {
			e.styled(x.key, style, true)
			e.sign(':', false, false)
		} else {
			e.sign('?', true, true)
			e.text(x.key)
			e.startLine()
			e.sign(':', true, true)
		}
		e.node(x.value, true)
	}
	e.entries = e.entries[:first]
	e.indent, e.place = outer, place
}

func (e *emitter) list(l []any, inObject bool) {
	switch {
	case l == nil:
		e.word("null")
		return
	case len(l) == 0:
		e.word("[]")
		return
	}
	outer := e.indent
	if !inObject || e.fresh {
		e.deepen()
	}
	place := e.place
	for _, v := range l {
		e.startLine()
		e.place = place.item(v, e)
		e.sign('-', true, true)
		e.node(v, false)
	}
	e.indent, e.place = outer, place
}

func (e *emitter) deepen() {
	if e.indent < 0 {
		e.indent = 0
	} else {
		e.indent += 2
	}
}

// startLine moves to the indentation, on a new line unless the current one has
// only indicators and room left.
func (e *emitter) startLine() {
	indent := max(0, e.indent)
	if !e.fresh || e.column > indent || (e.column == indent && !e.blank) {
		e.newline()
	}
	for e.column < indent {
		e.buf.WriteByte(' ')
		e.column++
	}
	e.blank, e.fresh = true, true
}

func (e *emitter) newline() {
	e.buf.WriteByte('\n')
	e.column = 0
}

// sign writes - ? : or a quote, after a blank if it needs one. With layout, the
// line stays fresh if it was.
func (e *emitter) sign(c byte, needsBlank, layout bool) {
	if needsBlank {
		e.space()
	}
	e.buf.WriteByte(c)
	e.column++
	e.blank = false
	e.fresh = e.fresh && layout
}

func (e *emitter) space() {
	if !e.blank {
		e.buf.WriteByte(' ')
		e.column++
	}
}

// word writes ASCII text that is short and never folded.
func (e *emitter) word(s string) {
	e.space()
	e.buf.WriteString(s)
	e.column += len(s)
	e.blank, e.fresh = false, false
}
