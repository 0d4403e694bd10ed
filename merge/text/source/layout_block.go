package source

import (
	"strings"

	"threeway/merge/tree"
)

// blockItems is a List in block style, with the dashes at a column.
type blockItems struct {
	indent int
	limit  Limit
}

// blockHead returns where the line of the first item begins, and the column of
// its dash. bare is set if the document is only the list.
func blockHead(text string) (indent, first int, bare, ok bool) {
	fields := false // a list below a field other than items is no List
	for at := 0; at < len(text); {
		line, _, found := strings.Cut(text[at:], "\n")
		dash := strings.TrimLeft(line, " ")
		indent = len(line) - len(dash)
		switch {
		case strings.HasPrefix(dash, "- ") && indent == 0:
			return 0, at, true, !fields
		case !found || strings.HasPrefix(dash, "- "):
			return 0, 0, false, false
		case strings.HasPrefix(line, "---") && at > 0 && strings.TrimLeft(text[:at], "\n") != "":
			return 0, 0, false, false
		}
		at += len(line) + 1
		fields = fields || dash != "" && dash[0] != '#' && !strings.HasPrefix(line, "---")
		if line == "items:" {
			dash := strings.TrimLeft(text[at:], " ")
			return len(text) - at - len(dash), at, false, strings.HasPrefix(dash, "- ")
		}
	}
	return 0, 0, false, false
}

func (blockItems) Form() Form { return FormItem }

func (b blockItems) Guess(text string) int {
	if at := strings.Index(text, "\n"+strings.Repeat(" ", b.indent)+"- "); at >= 0 {
		return at + 1
	}
	return -1
}

// Item ends before the next line that is not a comment and not indented more
// than its dash.
func (b blockItems) Item(text string, last bool, k *Keep, scratch *Scratch) (e Element, ok bool) {
	whole := text
	if text = text[:strings.LastIndexByte(text, '\n')+1]; text == "" {
		return e, false
	}
	p, v, ok := b.parse(text, false, k, scratch)
	if ok && strings.IndexByte(text[:p.at], '\t') >= 0 {
		p, v, ok = b.parse(text, true, k, scratch)
	}
	if !ok {
		return e, false
	}
	e.Value = v
	if p.at == len(text) {
		// The text after the last line may be part of the item.
		if e.Length = len(text); !last {
			e.Short = true
			return e, true
		}
		if len(whole) > len(text) {
			return e, false // the last line is cut off
		}
	} else {
		e.Length = p.at - p.column
		e.More = p.column == b.indent && p.dash()
	}
	return e, !p.twice && plainText(text[:e.Length])
}

// parse decodes the item at the beginning of a text. tabs says whether the text
// may have tabs.
func (b blockItems) parse(text string, tabs bool, k *Keep, scratch *Scratch) (p *blockParser, v any, ok bool) {
	p = &blockParser{text: text, end: -1, tabs: tabs, limit: b.limit, keys: scratch.start(), scratch: scratch}
	if !p.next() || p.column != b.indent || !p.dash() || p.odd() {
		return p, nil, false
	}
	v, ok = p.element(b.indent, k)
	return p, v, ok
}

// Tail ends before the line that begins the next document.
func (blockItems) Tail(text string, last bool) (length int, ok bool) {
	if strings.HasPrefix(text, "---") {
		return 0, true
	}
	if at := strings.Index(text, "\n---"); at >= 0 {
		return at + 1, true
	}
	if !last {
		return -1, true
	}
	return len(text), true
}

// decodeElement decodes a list of one object, "- a: b".
func decodeElement(text string, k *Keep, limit Limit, scratch *Scratch) (value tree.Object, ok bool) {
	p, ok := newBlockParser(text, scratch)
	if !ok || !p.dash() || p.odd() {
		return nil, false
	}
	p.limit = limit
	v, ok := p.element(p.column, k)
	object, isObject := v.(tree.Object)
	return object, ok && isObject && p.at == len(text)
}

// blockDocuments are YAML documents, one after the other.
type blockDocuments struct{ limit Limit }

func (blockDocuments) Form() Form { return FormBlock }

func (blockDocuments) Guess(text string) int {
	const separator = "\n---\n"
	if at := strings.Index(text, separator); at >= 0 {
		return at + len(separator)
	}
	return -1
}

// Item ends at the next separator. A separator above the document belongs to it
// if there is nothing before it (Stream.nextYAML).
func (b blockDocuments) Item(text string, last bool, k *Keep, scratch *Scratch) (e Element, ok bool) {
	above := 0
	if line, _, found := strings.Cut(text, "\n"); found && line == "---" {
		above = len(line)
	}
	e.Length = len(text)
	if at := strings.Index(text[above:], "\n---"); at >= 0 {
		e.Length = above + at + 1
		end := strings.IndexByte(text[e.Length:], '\n')
		if e.Short = end < 0 && !last; e.Short {
			return e, true
		}
		e.Gap = len(text) - e.Length
		if end >= 0 {
			e.Gap = end + 1
		}
		if separator := strings.TrimSpace(text[e.Length+len("---") : e.Length+e.Gap]); separator != "" && separator[0] != '#' {
			return e, false
		}
		e.More = e.Length+e.Gap < len(text)
		if e.Short = !e.More && !last; e.Short {
			return e, true
		}
	} else if !last {
		e.Short = true
		return e, true
	}
	document := text[:e.Length]
	if !strings.HasSuffix(document, "\n") {
		if LostLine(document) != "" {
			return e, false
		}
		document += "\n"
	}
	if e.Empty = blank(document); e.Empty {
		return e, true
	}
	value, twice, ok := decodeBlock(document, k, b.limit, scratch)
	if !ok {
		value, twice, ok = decodeFlow(document, k, scratch)
	}
	e.Value = value
	return e, ok && !twice
}

// blank reports whether a document is nothing but a separator and empty lines.
func blank(text string) bool {
	return strings.TrimLeft(strings.TrimPrefix(text, "---"), " \n") == ""
}

func (blockDocuments) Tail(text string, last bool) (length int, ok bool) { return 0, true }
