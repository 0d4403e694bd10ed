package manifest

import (
	"errors"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"

	"threeway/merge/tree"
)

// Text returns the part of the file that the object was read from, and the
// line that it begins on. Its first line is padded with blanks, so that columns
// are those of the file. Of a document in YAML lines end in \n, whatever the
// file has. ok is false for an object of a List of which the text cannot be
// told apart from its neighbours', or begins far to the right in a line of many.
func (o *Object) Text() (text string, line int, ok bool) {
	if o.doc == nil {
		return "", 0, false
	}
	from, to := 0, len(o.doc.text)
	if len(o.within) > 0 {
		if from, to, ok = o.doc.extent(o); !ok {
			return "", 0, false
		}
	}
	line, column := o.doc.position(from)
	if column > mostPadding {
		return "", 0, false
	}
	return strings.Repeat(" ", column-1) + o.doc.text[from:to], line, true
}

// Alone reports whether a line of the file holds nothing of the other objects of
// the List that the object is in. It may say no where it cannot tell.
func (o *Object) Alone(line int) bool {
	if o.doc == nil || len(o.within) == 0 {
		return true
	}
	if _, steps := o.doc.itemOffset(o.within); !o.doc.isJSON && steps == len(o.within) {
		return true // in block YAML each has its lines
	}
	from, to, ok := o.doc.extent(o)
	starts := o.doc.lineStarts()
	if line -= o.doc.line; !ok || line < 0 || line >= len(starts) {
		return false
	}
	start, end := starts[line], len(o.doc.text)
	if line+1 < len(starts) {
		end = starts[line+1]
	}
	others := o.doc.text[start:max(start, min(from, end))] + o.doc.text[min(end, max(to, start)):end]
	return strings.Trim(others, " \t\r\n{}[],") == ""
}

// mostPadding is how far to the right a text may begin: each object of a List in
// one line has all the line before it for padding.
const mostPadding = 4 << 10

// extent is the range of a List's item.
func (d *document) extent(o *Object) (from, to int, ok bool) {
	if d.isJSON {
		offset, found := d.findJSON(o.within)
		c := jsonCursor{d.text, offset}
		c.skip()
		return offset, c.pos, found
	}
	root := d.nodes()
	if root == nil {
		return 0, 0, false
	}
	item := yamlSource{root}
	for _, s := range o.within {
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

// blockEnd is where the block that begins at an offset, indented by so many
// blanks, ends: after its last line that is indented as much, comments included.
func (d *document) blockEnd(from, indent int) int {
	end := from
	for at := from; at < len(d.text); {
		line, _, _ := strings.Cut(d.text[at:], "\n")
		content := strings.TrimLeft(line, " ")
		inside := at == from || len(line)-len(content) >= indent
		at = min(at+len(line)+1, len(d.text))
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

// Decode decodes a text that holds a single document, an object, as Read does,
// and checks no more than its syntax.
func Decode(text string) (tree.Object, error) {
	s := newStream("", text)
	if !s.next() {
		return nil, s.trouble()
	}
	obj, ok := s.value.(tree.Object)
	if !ok || s.doc.numberErr != nil {
		return nil, errors.New("it is no object")
	}
	if s.next() || s.problem != nil {
		return nil, errors.New("it is more than one document")
	}
	return obj, nil
}

func (s *stream) trouble() error {
	if s.problem != nil {
		return errors.New(s.problem.Text)
	}
	return errors.New("it is empty")
}
