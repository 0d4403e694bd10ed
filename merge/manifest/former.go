package manifest

import (
	"sync"

	"threeway/merge/tree"
)

// Former are the manifests before a change.
type Former struct {
	// Name is where they are from, as in git:main.
	Name string
	find func() map[Identity]tree.Object
}

// NewFormer returns the manifests that read reads, when the first of them is asked for.
func NewFormer(name string, read func() *Set) *Former {
	return &Former{name, sync.OnceValue(func() map[Identity]tree.Object {
		found := map[Identity]tree.Object{}
		for _, o := range read().Objects {
			found[o.ID()] = o.Tree
		}
		return found
	})}
}

// Find returns the manifest of an object as it was, with what SOPS has added to it; nil if
// there was none, or if that is unknown.
func (f *Former) Find(id Identity) tree.Object {
	if f == nil {
		return nil
	}
	return f.find()[id]
}
