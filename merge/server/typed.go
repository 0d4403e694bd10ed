package server

import (
	"threeway/merge/schema"
	"threeway/merge/tree"
)

// Typed is an object as a client prints it that has read it into the Go type of its kind:
// without unknown fields and nulls, and with the structures that are never left out
// (apimachinery pkg/runtime/converter.go). It is false if the kind has no Go type, or the
// object does not fit.
func Typed(obj tree.Object, k schema.Kind, minor int) (tree.Object, bool) {
	b, ok := lookup(k)
	if !ok {
		return nil, false
	}
	d := newDecoding(minor, false)
	out := d.object(obj, b.typ)
	if d.err != nil {
		return nil, false
	}
	return printed(tree.CopyObject(out), b.typ, minor), true
}
