package source

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"

	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
)

// Rewrite returns a text after change has replaced strings in the root of each
// document, or in the objects of one that is a list. The rest of the text stays the same, except that line breaks become
// \n. If the position of a string is unknown, or change does more than replace
// strings, the whole document is written as kubectl writes it.
func Rewrite(text string, change func(root tree.Object)) (string, *Failure) {
	s := NewStream("", text)
	s.Limit = Accepted
	var out strings.Builder
	write := func(text string) {
		if !s.IsJSON { // reading removes only one of two \r at the end of a line
			text = strings.ReplaceAll(text, "\r\n", "\r\r\n")
		}
		out.WriteString(text)
	}
	text, done := s.text, 0
	for s.Next() {
		if len(s.text) < len(text) { // JSON failed, and YAML took over
			done = 0
		}
		text = s.text
		switch s.Value.(type) {
		case nil, tree.Object, []any:
		default:
			return "", &Failure{Line: 1 + strings.Count(text[:s.Begin], "\n"), Column: 1, Text: "the document is no object and no list of objects"}
		}
		write(text[done:s.Begin])
		write(s.Doc.Rewritten(s.Value, change))
		done = s.End
	}
	if s.Failure != nil {
		return "", s.Failure
	}
	write(s.text[done:])
	return out.String(), nil
}

// Rewritten returns the text of the document after a change of its value.
func (d *Document) Rewritten(value any, change func(tree.Object)) string {
	to := tree.Copy(value)
	eachRoot(to, change)
	ignored := len(d.Duplicates) > 0 || d.hasIgnored()
	if tree.Equal(value, to) && !ignored {
		return d.Text
	}
	e := &editor{doc: d}
	switch {
	case ignored: // it would stay
	case d.IsJSON:
		e.json(jsonSource{d.Text, 0}, value, to)
		if text := e.apply(); !e.lost && equalJSON(text, to) {
			return text
		}
	case d.nodes() != nil:
		e.yaml(yamlSource{d.nodes()}, value, to)
		if e.lost {
			break
		}
		text := e.apply()
		if value, _, err := decodeGeneral(text); err == nil && tree.Equal(value, to) {
			return text
		}
	}
	return d.anew(to)
}

// hasIgnored reports whether the text has more than its value and comments: the name of an
// anchor, which a value without quotes may be, a tag, or text after the end of the document.
func (d *Document) hasIgnored() bool {
	ends := strings.Contains(d.Text, "\n...") || strings.ContainsAny(d.Text, yamlBreaks) && strings.Contains(d.Text, "...")
	if d.IsJSON || d.isBlock || !ends && !strings.ContainsAny(d.Text, "&!") {
		return false
	}
	var ignored func(n *yamlv3.Node) bool
	ignored = func(n *yamlv3.Node) bool {
		return n.Anchor != "" || n.Style&yamlv3.TaggedStyle != 0 || slices.ContainsFunc(n.Content, ignored)
	}
	node := d.nodes()
	return ends || node == nil || ignored(node)
}

// eachRoot calls change with a document that is an object, or with each object of one
// that is a list.
func eachRoot(v any, change func(tree.Object)) {
	switch v := v.(type) {
	case tree.Object:
		change(v)
	case []any:
		for _, item := range v {
			eachRoot(item, change)
		}
	}
}

// anew returns the whole document as kubectl writes it; a list as JSON.
func (d *Document) anew(v any) string {
	to, isObject := v.(tree.Object)
	if !isObject {
		return d.json(v)
	}
	if strings.HasPrefix(d.Text, "  ") { // an item, without its dash
		return "  " + strings.ReplaceAll(strings.TrimSuffix(yamltext.YAML(to), "\n"), "\n", "\n  ") + "\n"
	}
	if !d.IsJSON {
		separator := ""
		if strings.HasPrefix(d.Text, "---") {
			separator = "---\n"
		}
		return separator + yamltext.YAML(to)
	}
	return d.json(to)
}

func (d *Document) json(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "    ")
	_ = e.Encode(v) // decoded JSON always encodes
	if d.IsJSON {
		return strings.TrimSuffix(b.String(), "\n")
	}
	return b.String()
}

func equalJSON(text string, want any) bool {
	p := jsonParser{text: text}
	got, ok := p.document()
	return ok && tree.Equal(got, want)
}

// edit replaces text[start:end].
type edit struct {
	start, end int
	text       string
}

// editor collects the edits that turn one value of a document into another.
type editor struct {
	doc   *Document
	edits []edit
	// lost is set if a difference is not between strings, or its position is
	// unknown.
	lost bool
}

func (e *editor) apply() string {
	slices.SortFunc(e.edits, func(a, b edit) int { return a.start - b.start })
	var b strings.Builder
	done := 0
	for _, x := range e.edits {
		b.WriteString(e.doc.Text[done:x.start])
		b.WriteString(x.text)
		done = x.end
	}
	b.WriteString(e.doc.Text[done:])
	return b.String()
}

// differ compares two values that are not strings. It does not compare the
// items of lists and the fields of objects; the callers do, which know their
// positions.
func (e *editor) differ(from, to any) {
	switch from := from.(type) {
	case tree.Object:
		o, ok := to.(tree.Object)
		e.lost = e.lost || !ok || len(o) != len(from)
	case []any:
		l, ok := to.([]any)
		e.lost = e.lost || !ok || len(l) != len(from)
	default:
		e.lost = e.lost || !tree.Equal(from, to)
	}
}

func (e *editor) json(at jsonSource, from, to any) {
	if before, ok := from.(string); ok {
		after, ok := to.(string)
		if e.lost = e.lost || !ok; before != after {
			c := jsonCursor{at.text, at.offset}
			c.skip()
			old := at.text[at.offset:c.pos]
			e.edits = append(e.edits, edit{at.offset, c.pos, quote(after, escapesHTML(old))})
		}
		return
	}
	if e.differ(from, to); e.lost {
		return
	}
	i := 0
	at.each(func(child jsonSource) bool {
		if list, ok := from.([]any); ok {
			e.json(child, list[i], to.([]any)[i])
			i++
			return !e.lost
		}
		c := jsonCursor{at.text, child.offset}
		c.skip()
		name, _ := unescape(at.text[child.offset+1 : c.pos-1])
		c.colon()
		e.json(jsonSource{at.text, c.pos}, from.(tree.Object)[name], to.(tree.Object)[name])
		return !e.lost
	})
}

// escapesHTML reports whether a JSON string has escapes for HTML characters, as
// Go and kubectl write them and other programs may not.
func escapesHTML(quoted string) bool {
	return strings.Contains(quoted, `\u003c`) || strings.Contains(quoted, `\u003e`) || strings.Contains(quoted, `\u0026`)
}

func quote(s string, html bool) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(html)
	_ = e.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}
