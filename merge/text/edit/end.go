package edit

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"
)

// end is the offset after the last character of a node. The parser does not
// return it, so it is searched in the text.
func (d *document) end(n *yaml.Node) (int, error) {
	at := d.start(n)
	if n.Kind == yaml.AliasNode {
		return at + 1 + len(n.Value), nil
	}
	if anchorOrTag(n) {
		at = d.skipProperties(at)
	}
	switch {
	case n.Kind == yaml.ScalarNode:
		return d.scalarEnd(n, at)
	case n.Style&yaml.FlowStyle != 0:
		return d.flowEnd(n, at)
	case len(n.Content) == 0:
		return 0, errUnusual
	}
	list := entries(n)
	return d.entryEnd(list[len(list)-1])
}

// errUnusual is returned for valid text in a form that this package does not
// edit.
var errUnusual = errors.New("it is written in an unusual way")

// skipProperties moves past the anchor and the tag of a node on its line.
func (d *document) skipProperties(at int) int {
	for at < len(d.text) && (d.text[at] == '&' || d.text[at] == '!') {
		word, _, _ := strings.Cut(d.text[at:], "\n")
		word, _, _ = strings.Cut(word, " ")
		at += len(word)
		at += len(d.text[at:]) - len(strings.TrimLeft(d.text[at:], " "))
	}
	return at
}

// entryEnd returns where an entry's value ends. Without a value that is after
// the key's colon, and in flow style the colon may be missing too.
func (d *document) entryEnd(e entry) (int, error) {
	if !leftOut(e.value) || e.key == nil {
		return d.end(e.value)
	}
	if at, err := d.afterColon(e.key); err == nil {
		return at, nil
	}
	return d.end(e.key)
}

// leftOut reports whether a value is null because it is missing in the text.
func leftOut(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style == 0 && n.Value == "" && n.Anchor == ""
}

// afterColon is the offset after the colon of a key.
func (d *document) afterColon(key *yaml.Node) (int, error) {
	at, err := d.end(key)
	if err != nil {
		return 0, err
	}
	rest := strings.TrimLeft(d.text[at:], " \t")
	if !strings.HasPrefix(rest, ":") {
		return 0, errUnusual
	}
	return len(d.text) - len(rest) + 1, nil
}

func (d *document) scalarEnd(n *yaml.Node, at int) (int, error) {
	rest := d.text[at:]
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0 && strings.HasPrefix(rest, `"`):
		for i := 1; i < len(rest); i++ {
			switch rest[i] {
			case '\\':
				i++
			case '"':
				return at + i + 1, nil
			}
		}
	case n.Style&yaml.SingleQuotedStyle != 0 && strings.HasPrefix(rest, "'"):
		for i := 1; i < len(rest); i++ {
			if rest[i] != '\'' {
				continue
			}
			if strings.HasPrefix(rest[i:], "''") {
				i++
				continue
			}
			return at + i + 1, nil
		}
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return d.blockScalarEnd(n, at)
	case n.Style&^yaml.TaggedStyle == 0:
		return d.plainEnd(n, at)
	}
	return 0, errUnusual
}

// plainEnd follows the value through the text, where other blanks and line
// breaks may stand for those in the value.
func (d *document) plainEnd(n *yaml.Node, at int) (int, error) {
	rest, value := d.text[at:], n.Value
	for value != "" {
		if trimmed := strings.TrimLeft(value, " \t\n"); trimmed != value {
			shorter := strings.TrimLeft(rest, " \t\r\n")
			if shorter == rest {
				return 0, errUnusual
			}
			rest, value = shorter, trimmed
			continue
		}
		if rest == "" || rest[0] != value[0] {
			return 0, errUnusual
		}
		rest, value = rest[1:], value[1:]
	}
	return len(d.text) - len(rest), nil
}

// blockScalarEnd is the end of the last line of a literal or folded text; with
// "+" trailing empty lines belong to it.
func (d *document) blockScalarEnd(n *yaml.Node, at int) (int, error) {
	header, _, _ := strings.Cut(d.text[at:], "\n")
	header, _, _ = strings.Cut(strings.TrimRight(header, "\r"), " ")
	if header == "" || strings.ContainsAny(header, "123456789") {
		return 0, errUnusual
	}
	least := d.indent(d.up[n].in) + 1
	end, first := at+len(header), true
	for line := d.nextLine(at); line < len(d.text); {
		next := d.nextLine(line)
		text := strings.TrimRight(d.text[line:next], "\r\n")
		content := strings.TrimLeft(text, " ")
		switch {
		case content == "":
			if strings.Contains(header, "+") {
				end = line + len(text)
			}
		case len(text)-len(content) < least:
			return end, nil
		default:
			if first {
				least, first = len(text)-len(content), false
			}
			end = line + len(text)
		}
		line = next
	}
	return end, nil
}

// indent is how many blanks the entries of a block are indented by.
func (d *document) indent(n *yaml.Node) int { return n.Column - 1 }

// flowEnd returns the offset after the bracket that closes the one at an
// offset.
func (d *document) flowEnd(n *yaml.Node, at int) (int, error) {
	opening, closing := byte('{'), byte('}')
	if n.Kind == yaml.SequenceNode {
		opening, closing = '[', ']'
	}
	if at >= len(d.text) || d.text[at] != opening {
		return 0, errUnusual
	}
	at++
	if list := entries(n); len(list) > 0 {
		var err error
		if at, err = d.entryEnd(list[len(list)-1]); err != nil {
			return 0, err
		}
	}
	for ; at < len(d.text); at++ {
		switch d.text[at] {
		case closing:
			return at + 1, nil
		case ' ', '\t', '\r', '\n', ',':
		case '#':
			at = d.nextLine(at) - 1
		default:
			return 0, errUnusual
		}
	}
	return 0, errUnusual
}
