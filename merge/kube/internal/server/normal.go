package server

import (
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Normal is an object of a built-in kind as a server of 1.minor gives it back
// when nothing but decoding, defaulting and conversion touches it: no
// admission, strategy or validation. If patched, obj is decoded as the result
// of a patch, else as the body of a create; see decoding.
//
// It also returns the paths of unknown fields, which are left out, and the
// error that a server answers to a value of the wrong type. obj is not changed.
func Normal(obj tree.Object, k schema.Kind, minor int, patched bool) (tree.Object, []string, error) {
	s := Server{Minor: minor}
	b, _ := lookup(k)
	out, unknown, err := b.decode(obj, minor, !patched)
	if err != nil {
		return nil, nil, err
	}
	var paths []string
	for _, f := range unknown {
		paths = append(paths, f.Field)
	}
	s.complete(b, out)
	out, _, _ = b.decode(out, minor, true)
	return s.readBack(b, out), paths, nil
}
