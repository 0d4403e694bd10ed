// Package edit changes fields in the text of an object, YAML or JSON, and
// leaves the rest of the text as it is: comments, indentation, quotes, the
// order of keys. It returns an error rather than guess. The result has been
// read back to check that the object has changed as intended and nowhere else.
//
// It knows nothing about files, and about Kubernetes only the fields that
// objects begin with.
package edit

import (
	"errors"
	"fmt"

	"threeway/merge/fieldpath"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// Edit is one change of an object. If several edits are made together, their
// paths refer to the object before all of them.
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

// Set gives a field a value. Missing or null parents are created as objects.
// The old value must be a scalar, an empty object or an empty list.
func Set(p fieldpath.Path, value any) Edit { return Edit{Path: p, op: set, value: value} }

// Remove removes a field or a list item. If its parent becomes empty, the empty
// parent stays.
func Remove(p fieldpath.Path) Edit { return Edit{Path: p, op: remove} }

// Rename gives a field another name.
func Rename(p fieldpath.Path, name string) Edit { return Edit{Path: p, op: rename, name: name} }

// Append adds an item at the end of a list that is not empty.
func Append(p fieldpath.Path, value any) Edit { return Edit{Path: p, op: extend, value: value} }

// Value returns the value of Set or Append, and nil for other edits.
func (e Edit) Value() any { return e.value }

// Object returns a copy of the object with the edits made.
func Object(obj tree.Object, edits []Edit) (tree.Object, error) {
	edits, err := resolve(obj, edits)
	if err != nil {
		return nil, err
	}
	return apply(obj, edits)
}

// Replacement replaces the text between two offsets.
type Replacement struct {
	Start, End int
	Text       string
}

// Text returns the replacements that make the edits in the text of an object,
// in the order of their places and without overlaps. The error says why an edit
// cannot be made safely.
func Text(text string, edits []Edit) ([]Replacement, error) {
	before, err := source.Decode(text)
	if err != nil {
		return nil, fmt.Errorf("its text cannot be read on its own: %w", err)
	}
	after, err := Object(before, edits)
	if err != nil {
		return nil, err
	}
	edits, _ = resolve(before, edits) // Object has just done it without an error
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

// Extents parses a text. The function that it returns tells where the field at a path
// begins, with its key, and where it ends. ok is false if that is unknown.
func Extents(text string) func(p fieldpath.Path) (start, end int, ok bool) {
	d, err := parse(text)
	if err != nil {
		return func(fieldpath.Path) (start, end int, ok bool) { return 0, 0, false }
	}
	return d.extent
}

func (d *document) extent(p fieldpath.Path) (start, end int, ok bool) {
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
