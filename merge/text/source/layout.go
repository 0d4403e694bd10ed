package source

import (
	"strings"

	"threeway/merge/tree"
)

// Layout is the form of a run of objects: the items of a List, or consecutive
// documents. It finds where each object begins and ends without building it.
type Layout interface {
	// Guess returns the offset of something in a text that looks like the
	// beginning of an object, or -1.
	Guess(text string) int
	// Item reads the object at the beginning of text and builds what k keeps,
	// which is valid until the scratch is used for another object. last is set if
	// text reaches the end of the file.
	Item(text string, last bool, k *Keep, scratch *Scratch) (e Element, ok bool)
	// Tail returns the length of the rest of a List's document, given the text
	// after the last item; ok is false if the text ends too early.
	Tail(text string, last bool) (length int, ok bool)
	// Form returns the form of each object.
	Form() Form
}

// Form is the form of one object's text.
type Form uint8

const (
	FormJSON  Form = iota
	FormFlow       // YAML in flow style, such as KYAML
	FormItem       // an item of a list in block style, from the beginning of its first line
	FormBlock      // a YAML document
)

// IsJSON reports whether the text is JSON.
func (f Form) IsJSON() bool { return f == FormJSON }

// IsBlock reports whether the text consists of whole lines.
func (f Form) IsBlock() bool { return f == FormItem || f == FormBlock }

// Decode decodes the text of one object. Text that only a general parser can read is
// decoded up to the size that limit allows. Of JSON the tree has the parts that it shares
// with others, unless shared is nil; with copies it has no part of the text.
func (f Form) Decode(text string, limit Limit, shared *Shared, copies bool) (obj tree.Object, ok bool) {
	switch f {
	case FormJSON:
		obj, ok = shared.decodeJSON(text, copies)
	case FormFlow:
		var v any
		p := newFlowParser(text, 0)
		v, ok = p.value(Everything)
		obj, _ = v.(tree.Object)
		ok = ok && obj != nil && p.pos == len(text) && plainText(text)
	case FormItem:
		obj, ok = decodeElement(text, Everything, limit, nil)
	case FormBlock:
		text = f.Shown(text)
		if obj, _, ok = decodeBlock(text, Everything, limit, nil); !ok {
			obj, _, ok = decodeFlow(text, Everything, nil)
		}
	}
	return obj, ok
}

// Shown is the text of an object as a document of its own, with blanks in place of
// everything that does not belong to the object, so that columns stay the same.
func (f Form) Shown(text string) string {
	switch {
	case f == FormItem:
		return strings.Replace(text, "-", " ", 1)
	case f == FormBlock && !strings.HasSuffix(text, "\n"):
		return text + "\n"
	}
	return text
}

// Element is one object of a run.
type Element struct {
	Value any // the parts that are kept
	// Length is the length of its text, Gap the length of the text before the
	// next object. More is false after the last object.
	Length, Gap int
	More        bool
	// Short is set if the text ends before the object does.
	Short bool
	// Empty is set for an empty document.
	Empty bool
}

// List is what the beginning of a List shows.
type List struct {
	Layout
	First int  // the offset of the first item
	Bare  bool // a list of objects outside of an object
}

// FindList finds the first item of a List at the beginning of a document.
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

// Documents returns the layout of a run of documents that are not Lists.
func Documents(text string, limit Limit) Layout {
	start := strings.TrimLeft(text, " \t\r\n")
	if strings.HasPrefix(start, "{") {
		return jsonDocuments{jsonItems{opening: openingOf(start)}}
	}
	return blockDocuments{limit}
}

// openingOf returns the beginning of an object in braces, which serves to find
// the next ones: up to its first key, and, if that is on the same line,
// including it. It is a copy, because the text may be overwritten.
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
