package manifest

import (
	"fmt"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/text/visible"
)

// Place is where a field stands in a file.
type Place struct {
	// File, Line and Column are as those of an Origin and of Position.
	File         string
	Line, Column int
	// Source is the line of the file.
	Source string
	// Elsewhere: the file is not the one that the object was read from, but one that this
	// was rendered from.
	Elsewhere bool
}

// Place returns where the field at p stands, or its nearest existing parent.
func (o *Object) Place(p fieldpath.Path) Place {
	if o.source != nil {
		place := o.source(o, p)
		place.Elsewhere = true
		return place
	}
	line, column, _ := o.Position(p)
	return Place{File: o.Origin.File, Line: line, Column: column, Source: o.SourceLine(line)}
}

// String returns FILE:LINE.
func (p Place) String() string { return fmt.Sprintf("%s:%d", visible.Line(p.File), p.Line) }

// At returns where the object begins, FILE:LINE.
func (o *Object) At() string {
	if o.source == nil && o.doc != nil && len(o.within) == 0 { // without the lines of its document
		return Place{File: o.Origin.File, Line: o.Origin.Line}.String()
	}
	return o.Place(nil).String()
}

// RenderedFrom sets what finds the places of the fields, for an object that was rendered
// from other files.
func (o *Object) RenderedFrom(place func(*Object, fieldpath.Path) Place) { o.source = place }

// Position returns where in its file the field at p is: the line and column,
// both from 1, columns in characters, of the field's key, or of an item of a
// list. If the field does not exist, exact is false, and the position is that
// of its nearest existing parent (source.Document.Find).
func (o *Object) Position(p fieldpath.Path) (line, column int, exact bool) {
	if o.doc == nil {
		return 0, 0, false
	}
	offset, found := o.document().Find(o.within.Join(p))
	line, column = o.document().Position(offset)
	return line, column, found
}

// SourceLine returns a line of the file without its line break, if the line
// belongs to the object's document; otherwise "".
func (o *Object) SourceLine(line int) string {
	if o.doc == nil {
		return ""
	}
	return o.document().SourceLine(line)
}

// Text returns the part of the file that the object was read from, and the line
// that it begins on. Its first line is padded with blanks, so that columns are
// those of the file. In a YAML document all lines end in \n, even if the file
// has other line breaks. ok is false for an item of a List if its text cannot
// be separated from its neighbors, or begins too far to the right in a line
// with many items.
func (o *Object) Text() (text string, line int, ok bool) {
	if o.doc == nil {
		return "", 0, false
	}
	from, to, ok := o.document().Extent(o.within)
	if !ok {
		return "", 0, false
	}
	line, column := o.document().Position(from)
	if column > mostPadding {
		return "", 0, false
	}
	return strings.Repeat(" ", column-1) + o.document().Text[from:to], line, true
}

// FileMayHave reports whether the file that the object was read from has a text; true if
// that is unknown.
func (o *Object) FileMayHave(text string) bool {
	in, is := o.doc.(held)
	return !is || in.Whole == "" || strings.Contains(in.Whole, text)
}

// Alone reports whether a line of the file contains nothing of other objects in
// the same List. If that is unknown, it returns false.
func (o *Object) Alone(line int) bool { return o.doc == nil || o.document().Alone(o.within, line) }

// mostPadding is how far to the right a text may begin. If a List is one line,
// the padding of each item is as long as everything before it.
const mostPadding = 4 << 10
