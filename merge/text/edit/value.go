package edit

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
)

// replace replaces a scalar, {} or [] by a value.
func (d *document) replace(n *yaml.Node, value any) error {
	old := n.Kind == yaml.ScalarNode && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 || flow(n) && len(n.Content) == 0
	if !old {
		return errors.New("the text to replace is not a single value")
	}
	start := d.start(n)
	end, err := d.end(n)
	if err != nil {
		return err
	}
	at := d.up[n]
	key := entryAt(at.in, at.entry).key
	w := d.writer(at.in)
	if leftOut(n) {
		if key == nil {
			return errUnusual
		}
		if start, err = d.afterColon(key); err != nil {
			return err
		}
		end = start
	}
	if tree.Empty(value) || !tree.Compound(value) || flow(at.in) {
		if strings.Contains(d.text[start:end], "\n") {
			return errors.New("the text to replace is not a single value")
		}
		text := w.flow(value)
		if s, ok := value.(string); ok {
			text = w.quoted(s, n.Style)
		}
		if leftOut(n) {
			text = " " + text
		}
		d.put(start, end, text)
		return nil
	}
	if key == nil {
		return errUnusual
	}
	return d.replaceByBlock(key, end, w.block(value, d.indent(at.in)))
}

// replaceByBlock replaces the value on the line of a key by lines below the
// key. A comment after the key stays there.
func (d *document) replaceByBlock(key *yaml.Node, end int, text string) error {
	colon, err := d.afterColon(key)
	if err != nil {
		return err
	}
	if strings.Contains(d.text[colon:end], "\n") {
		return errUnusual
	}
	below := d.nextLine(end)
	d.put(colon, end, "")
	d.put(below, below, strings.TrimPrefix(text, "\n"))
	return nil
}

// rename replaces a key.
func (d *document) rename(key *yaml.Node, name string) error {
	if key == nil || anchorOrTag(key) || key.Kind != yaml.ScalarNode {
		return errors.New("the key is not a plain name")
	}
	end, err := d.end(key)
	if err != nil {
		return err
	}
	d.put(d.start(key), end, d.writer(d.up[key].in).quoted(name, key.Style))
	return nil
}

// writer writes values in the style of the text around them.
type writer struct {
	step int  // of indentation
	dash int  // how much a list in an object is indented
	json bool // strings and keys in double quotes
	in   bool // in flow style, where , [ ] { } end a plain scalar
}

func (d *document) writer(n *yaml.Node) writer {
	w := writer{json: d.json(), in: flow(n)}
	for c := n; c != nil; c = d.up[c].in {
		if flow(c) && len(c.Content) > 0 && c.Kind == yaml.MappingNode {
			w.json = w.json || c.Content[0].Style&yaml.DoubleQuotedStyle != 0
		}
	}
	if d.step == 0 {
		d.indents(d.root)
		d.step = cmp.Or(d.step, 2)
	}
	w.step, w.dash = d.step, d.dash
	if in := d.up[n].in; in != nil && in.Kind == yaml.MappingNode && inBlock(n) && n.Kind == yaml.MappingNode {
		w.step = cmp.Or(n.Column-in.Column, w.step)
	}
	return w
}

// json reports whether the whole text is in flow style, with quotes.
func (d *document) json() bool {
	return flow(d.root) && len(d.root.Content) > 0 && d.root.Content[0].Style&yaml.DoubleQuotedStyle != 0
}

// indents reads from the values of fields that are in block style how the text indents.
func (d *document) indents(n *yaml.Node) {
	for i := range count(n) {
		e := entryAt(n, i)
		switch {
		case e.key == nil || !inBlock(e.value):
		case e.value.Kind == yaml.SequenceNode:
			d.dash = max(d.dash, e.value.Column-n.Column)
		case d.step == 0:
			d.step = e.value.Column - n.Column
		}
		d.indents(e.value)
	}
}

func inBlock(n *yaml.Node) bool { return len(n.Content) > 0 && !flow(n) }

// block returns the text after the colon of a key with this indentation: the
// value, on the same line or on lines below, and the line break.
func (w writer) block(v any, indent int) string {
	if tree.Empty(v) || !tree.Compound(v) {
		return " " + w.flow(v) + "\n"
	}
	return "\n" + w.lines(v, indent+w.step, indent+w.dash)
}

// lines writes an object or a list, each with its indentation.
func (w writer) lines(v any, indent, dash int) string {
	var b strings.Builder
	switch v := v.(type) {
	case map[string]any:
		for _, key := range tree.Keys(v) {
			b.WriteString(strings.Repeat(" ", indent) + w.scalar(key) + ":" + w.block(v[key], indent))
		}
	case []any:
		for _, x := range v {
			item := w.flow(x) + "\n"
			if !tree.Empty(x) && tree.Compound(x) {
				item = strings.TrimLeft(w.lines(x, dash+2, dash+2), " ")
			}
			b.WriteString(strings.Repeat(" ", dash) + "- " + item)
		}
	}
	return b.String()
}

// flow writes a value on one line.
func (w writer) flow(v any) string {
	w.in = w.in || tree.Compound(v)
	switch v := v.(type) {
	case map[string]any:
		var parts []string
		for _, key := range tree.Keys(v) {
			parts = append(parts, w.pair(key, v[key], ": "))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		var parts []string
		for _, x := range v {
			parts = append(parts, w.flow(x))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		return w.scalar(v)
	}
	return strings.TrimSpace(strings.TrimPrefix(yamltext.YAML(tree.Object{"k": v}), "k: "))
}

func (w writer) pair(key string, value any, colon string) string {
	return w.scalar(key) + colon + w.flow(value)
}

// spread returns a key and value on several lines, as JSON is printed: the key
// is indented by indent, and the line of its object begins after the margin.
func (w writer) spread(key string, value any, colon, indent, margin string) string {
	if tree.Empty(value) || !tree.Compound(value) || !w.json {
		return w.pair(key, value, colon)
	}
	text := encode(value, indent, strings.TrimPrefix(indent, margin))
	return w.scalar(key) + colon + text
}

// scalar writes a string or a key, quoted if it must be.
func (w writer) scalar(s string) string {
	if w.json || strings.ContainsFunc(s, unreadable) {
		return quote(s)
	}
	text := strings.TrimSuffix(strings.TrimPrefix(yamltext.YAML(tree.Object{"k": s}), "k: "), "\n")
	switch {
	case strings.Contains(text, "\n"), w.in && strings.ContainsAny(text, ",[]{}") && text[0] != '\'' && text[0] != '"':
		return quote(s)
	}
	return text
}

// quoted returns a string in the quotes of the old value, if possible.
func (w writer) quoted(s string, style yaml.Style) string {
	switch {
	case style&yaml.DoubleQuotedStyle != 0:
		return quote(s)
	case style&yaml.SingleQuotedStyle != 0 && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || unreadable(r) }):
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return w.scalar(s)
}

func quote(s string) string { return encode(s, "", "") }

// encode writes a value as JSON.
func encode(v any, prefix, indent string) string {
	text, err := tree.JSON(v, prefix, indent)
	if err != nil {
		panic(err) // a value of package tree can be written
	}
	if !strings.ContainsFunc(text, unreadable) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unreadable(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unreadable reports of a character from the space on whether YAML does not read it as it
// is: it is an error, a line break or a mark of the encoding.
func unreadable(r rune) bool {
	return r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff
}
