package manifest

import (
	"strings"

	"threeway/merge/fieldpath"
)

// Position returns where in its file the field at p is: the line and column,
// both from 1, columns in characters, of the field's key, or of an element in
// a list. If the field is not there exact is false, and the position is that
// of the deepest parent that is (source.Document.Find).
func (o *Object) Position(p fieldpath.Path) (line, column int, exact bool) {
	if o.doc == nil {
		return 0, 0, false
	}
	offset, found := o.doc.Find(o.within.Join(p))
	line, column = o.doc.Position(offset)
	return line, column, found
}

// SourceLine returns the text of a line of the file, if the object's document
// has it, without its end.
func (o *Object) SourceLine(line int) string {
	if o.doc == nil {
		return ""
	}
	return o.doc.SourceLine(line)
}

// Text returns the part of the file that the object was read from, and the
// line that it begins on. Its first line is padded with blanks, so that columns
// are those of the file. Of a document in YAML lines end in \n, whatever the
// file has. ok is false for an object of a List of which the text cannot be
// told apart from its neighbours', or begins far to the right in a line of many.
func (o *Object) Text() (text string, line int, ok bool) {
	if o.doc == nil {
		return "", 0, false
	}
	from, to, ok := o.doc.Extent(o.within)
	if !ok {
		return "", 0, false
	}
	line, column := o.doc.Position(from)
	if column > mostPadding {
		return "", 0, false
	}
	return strings.Repeat(" ", column-1) + o.doc.Text[from:to], line, true
}

// Alone reports whether a line of the file holds nothing of the other objects of
// the List that the object is in. It may say no where it cannot tell.
func (o *Object) Alone(line int) bool { return o.doc == nil || o.doc.Alone(o.within, line) }

// mostPadding is how far to the right a text may begin: each object of a List in
// one line has all the line before it for padding.
const mostPadding = 4 << 10
