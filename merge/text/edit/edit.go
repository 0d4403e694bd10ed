// Package edit changes fields in the text of an object, YAML or JSON, and
// leaves the rest of the text as it is: comments, indentation, quotes, the
// order of keys. It refuses rather than guess: what it returns has been read
// back, and the object has changed as asked for and nowhere else.
//
// It knows no files, and of Kubernetes only what objects begin with.
package edit

import (
	"errors"
	"fmt"

	"threeway/merge/fieldpath"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// Edit is one change of an object. Paths are into the object as it is before
// all edits that are made together.
type Edit struct {
	Path fieldpath.Path

	op    op
	value any
	name  string
}

type op uint8

const (
	set op = iota
	remove
	rename
	extend
)

// Set gives a field a value. Objects on the way that are missing, or null, are
// made. What is replaced must be a scalar, an empty object or an empty list.
func Set(p fieldpath.Path, value any) Edit { return Edit{Path: p, op: set, value: value} }

// Remove takes a field out, or an element of a list. The object or list that
// held nothing else stays, empty.
func Remove(p fieldpath.Path) Edit { return Edit{Path: p, op: remove} }

// Rename gives a field another name.
func Rename(p fieldpath.Path, name string) Edit { return Edit{Path: p, op: rename, name: name} }

// Append puts an element at the end of a list that has some.
func Append(p fieldpath.Path, value any) Edit { return Edit{Path: p, op: extend, value: value} }

// Value is what Set or Append writes, nil for other edits.
func (e Edit) Value() any { return e.value }

// Object returns a copy of the object with the edits made.
func Object(obj tree.Object, edits []Edit) (tree.Object, error) {
	edits, err := resolve(obj, edits)
	if err != nil {
		return nil, err
	}
	return apply(obj, edits)
}

// Replacement puts Text in the place of what is between two offsets of a text.
type Replacement struct {
	Start, End int
	Text       string
}

// Text returns the replacements that make the edits in the text of an object,
// in the order of their places and without overlaps. The error says what keeps
// an edit from being made safely.
func Text(text string, edits []Edit) ([]Replacement, error) {
	before, err := source.Decode(text)
	if err != nil {
		return nil, fmt.Errorf("its text cannot be read on its own: %w", err)
	}
	after, err := Object(before, edits)
	if err != nil {
		return nil, err
	}
	edits, _ = resolve(before, edits) // which has just been done
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	for _, e := range edits {
		if err := d.plan(e, before); err != nil {
			return nil, err
		}
	}
	list, err := d.replacements()
	if err != nil {
		return nil, err
	}
	now, err := source.Decode(Apply(text, list))
	if err != nil || !tree.Equal(any(now), any(after)) {
		return nil, errors.New("the text cannot be changed there without changing more than that")
	}
	return list, nil
}

// Extent returns where the field at the path begins, with its key, and ends. ok
// is false if that cannot be told.
func Extent(text string, p fieldpath.Path) (start, end int, ok bool) {
	d, err := parse(text)
	if err != nil {
		return 0, 0, false
	}
	n, rest, err := d.find(p)
	if err != nil || len(rest) > 0 || d.up[n].in == nil || aliased(n) {
		return 0, 0, false
	}
	at := d.up[n]
	list := entries(at.in)
	if start, err = d.entryStart(at.in, list, at.entry); err != nil {
		return 0, 0, false
	}
	end, err = d.entryEnd(list[at.entry])
	return start, end, err == nil
}

// Apply makes the replacements, which must be in order.
func Apply(text string, list []Replacement) string {
	var out []byte
	at := 0
	for _, r := range list {
		out = append(append(out, text[at:r.Start]...), r.Text...)
		at = r.End
	}
	return string(append(out, text[at:]...))
}
