package source

import (
	"errors"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// Extent returns the range of the List item at the path; for an empty path, the
// whole text. ok is false if the text of the item cannot be separated from its
// neighbors.
func (d *Document) Extent(within fieldpath.Path) (from, to int, ok bool) {
	if len(within) == 0 {
		return 0, len(d.Text), true
	}
	if d.IsJSON {
		offset, found := d.findJSON(within)
		c := jsonCursor{d.Text, offset}
		c.skip()
		return offset, c.pos, found
	}
	root := d.nodes()
	if root == nil {
		return 0, 0, false
	}
	item := yamlSource{root}
	for _, s := range within {
		if _, item, ok = step(item, s); !ok {
			return 0, 0, false
		}
	}
	if item.Kind != yamlv3.MappingNode || item.Style&yamlv3.FlowStyle != 0 {
		return 0, 0, false
	}
	from = d.nodeOffset(item.Node)
	return from, d.blockEnd(from, item.Column-1), true
}

// Alone reports whether a line of the file contains nothing of other items of
// the same List. If that is unknown, it returns false.
func (d *Document) Alone(within fieldpath.Path, line int) bool {
	if len(within) == 0 {
		return true
	}
	if _, steps := d.itemOffset(within); !d.IsJSON && steps == len(within) {
		return true // in block YAML each item has its own lines
	}
	from, to, ok := d.Extent(within)
	starts := d.lineStarts()
	if line -= d.Line; !ok || line < 0 || line >= len(starts) {
		return false
	}
	start, end := starts[line], len(d.Text)
	if line+1 < len(starts) {
		end = starts[line+1]
	}
	others := d.Text[start:max(start, min(from, end))] + d.Text[min(end, max(to, start)):end]
	return strings.Trim(others, " \t\r\n{}[],") == ""
}

// blockEnd returns the end of the block that begins at an offset with an
// indentation: after its last line that is indented at least as much, comments
// included.
func (d *Document) blockEnd(from, indent int) int {
	end := from
	for at := from; at < len(d.Text); {
		line, _, _ := strings.Cut(d.Text[at:], "\n")
		content := strings.TrimLeft(line, " ")
		inside := at == from || len(line)-len(content) >= indent
		at = min(at+len(line)+1, len(d.Text))
		switch {
		case strings.TrimSpace(content) == "":
		case inside:
			end = at
		case content[0] != '#':
			return end
		}
	}
	return end
}

// Decode decodes a text with a single document, an object, as Read does. It
// checks only the syntax.
func Decode(text string) (tree.Object, error) {
	s := NewStream("", text)
	s.Limit = Accepted
	if !s.Next() {
		return nil, s.trouble()
	}
	obj, ok := s.Value.(tree.Object)
	if !ok || s.Doc.NumberErr != nil {
		return nil, errors.New("it is not an object")
	}
	if s.Next() || s.Failure != nil {
		return nil, errors.New("it is more than one document")
	}
	return obj, nil
}

func (s *Stream) trouble() error {
	if s.Failure != nil {
		return errors.New(s.Failure.Text)
	}
	return errors.New("it is empty")
}
