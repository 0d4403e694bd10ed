package source

import (
	"strings"

	"threeway/merge/tree"
)

// Layout is how a run of objects is written, the items of a List or documents one
// after the other, so that they can be told apart without building them.
type Layout interface {
	// Guess finds what looks like the begin of an object in a text: its offset,
	// or -1.
	Guess(text string) int
	// Item reads the object that text begins with, as far as it is kept. last
	// says that text goes to the end of the file.
	Item(text string, last bool, k *Keep) (e Element, ok bool)
	// Tail is the length of what follows the last item in the document of its
	// List, given the text after that item; -1 if the text ends before.
	Tail(text string, last bool) (length int, ok bool)
	// Form is how each object is written.
	Form() Form
}

// Form is how the text of one object is written.
type Form uint8

const (
	FormJSON  Form = iota
	FormFlow       // YAML in flow style, such as KYAML
	FormItem       // an item of a list in block style, from the begin of its first line
	FormBlock      // a YAML document
)

// IsJSON reports whether the text is JSON.
func (f Form) IsJSON() bool { return f == FormJSON }

// Decode decodes the text of one object. shown is the text with blanks in place
// of what is not the object's, so that every column is as it was. What only a general
// parser can read is decoded up to a size that limit allows.
func (f Form) Decode(text string, limit Limit) (obj tree.Object, shown string, ok bool) {
	switch f {
	case FormJSON:
		obj, ok = DecodeJSON(text)
	case FormFlow:
		var v any
		p := flowParser{text: text}
		v, ok = p.value(Everything)
		obj, _ = v.(tree.Object)
		ok = ok && obj != nil && p.pos == len(text) && plainText(text)
	case FormItem:
		obj, _, ok = decodeElement(text, Everything, limit)
		text = strings.Replace(text, "-", " ", 1)
	case FormBlock:
		if !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		if obj, _, ok = decodeBlock(text, Everything, limit); !ok {
			obj, _, ok = decodeFlow(text, Everything)
		}
	}
	return obj, text, ok
}

// Element is one object of a run.
type Element struct {
	Value any // what is kept of it
	// Length is that of its text, Gap that of what is before the next one. More
	// is false after the last one.
	Length, Gap int
	More        bool
	// Short says that the text ends before the object does.
	Short bool
	// Empty says that it is a document with nothing in it.
	Empty bool
}

// List is what is known of a List by its begin.
type List struct {
	Layout
	First int  // the offset of the first item
	Bare  bool // it is a list of objects that is in no object
}

// FindList finds the first item of the List that a document begins with.
func FindList(text string, limit Limit) (l List, ok bool) {
	switch start := strings.TrimLeft(text, " \t\r\n"); {
	case start == "":
		return l, false
	case start[0] == '{' || start[0] == '[':
		l.Bare = start[0] == '['
		if l.First, ok = jsonHead(text); ok {
			l.Layout = jsonItems{opening: openingOf(text[l.First:])}
			return l, true
		}
		l.First, ok = flowHead(text)
	default:
		if indent, first, bare, found := blockHead(text); found {
			return List{blockItems{indent, limit}, first, bare}, true
		}
		l.First, ok = flowHead(text)
	}
	l.Layout = flowItems{opening: openingOf(text[l.First:])}
	return l, ok
}

// Documents is the layout of a run of documents of which none is a List.
func Documents(text string, limit Limit) Layout {
	start := strings.TrimLeft(text, " \t\r\n")
	if strings.HasPrefix(start, "{") {
		return jsonDocuments{jsonItems{opening: openingOf(start)}}
	}
	return blockDocuments{limit}
}

// openingOf is what an object in braces begins with, by which the next ones may
// be found: up to its first key if that is on another line, else with all of it. It
// is a copy, since the text may be overwritten.
func openingOf(text string) string {
	if !strings.HasPrefix(text, "{") {
		return "{"
	}
	key := len(text) - len(strings.TrimLeft(text[1:], " \t\r\n"))
	if strings.IndexByte(text[:key], '\n') >= 0 && key < len(text) {
		return strings.Clone(text[:key+1])
	}
	colon := strings.IndexByte(text, ':')
	return strings.Clone(text[:min(max(colon+1, 1), key+maxKey)])
}

// guess finds an opening.
func guess(text, opening string) int { return strings.Index(text, opening) }
