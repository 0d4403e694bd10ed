package manifest

import (
	"bytes"
	"maps"
	"slices"

	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// Kept are the files that Read has read, for a program that reads the same ones again and
// again: of a file whose text is the same, Read decodes nothing with Options.Kept as Next
// makes it. The zero value has none.
type Kept struct {
	before, files map[string]*keptFile // by name
}

// keptFile is a file and what was read from it, before anything changed that.
type keptFile struct {
	name        string
	data        []byte
	limit       source.Limit
	unvalidated bool
	set         Set
}

// Next is what the next Read is given. k may be nil.
func (k *Kept) Next() *Kept {
	if k == nil {
		return &Kept{}
	}
	return &Kept{before: k.files}
}

// find is a file that had this text before, and was read as it is now; nil if there is none.
func (k *Kept) find(name string, data []byte, opts Options) *keptFile {
	if f := k.before[name]; f != nil && f.limit == opts.Input && f.unvalidated == opts.Unvalidated && bytes.Equal(f.data, data) {
		return f
	}
	return nil
}

// take keeps the files of these readers, and no others.
func (k *Kept) take(readers []reader) {
	if k == nil {
		return
	}
	k.before, k.files = nil, make(map[string]*keptFile, len(readers))
	for _, r := range readers {
		if r.kept != nil {
			k.files[r.kept.name] = r.kept
		}
	}
}

// Text is the text of a file that was read. k may be nil.
func (k *Kept) Text(file string) (text string, ok bool) {
	if k == nil || k.files[file] == nil {
		return "", false
	}
	return string(k.files[file].data), true
}

// copy is the set with its own objects, whose namespaces may be changed.
func (f *keptFile) copy() Set {
	own := Set{Problems: slices.Clone(f.set.Problems), Checked: slices.Clone(f.set.Checked), Lists: f.set.Lists}
	for _, o := range f.set.Objects {
		next := *o
		next.Tree = maps.Clone(o.Tree)
		if metadata := tree.Map(o.Tree, "metadata"); metadata != nil {
			next.Tree["metadata"] = maps.Clone(metadata)
		}
		own.Objects = append(own.Objects, &next)
	}
	return own
}

// SameText reports whether two objects stand in the same place of a document that was kept.
func (o *Object) SameText(other *Object) bool {
	return o.doc != nil && o.doc == other.doc && o.within.Equal(other.within)
}

// Recall replaces objects by those of an earlier set if they are the same: in a document
// that was kept, or anywhere and alone of their identity, and with the same namespace. It
// does the same to some of them, which it returns.
func (s *Set) Recall(before *Set, some []*Object, anywhere bool) []*Object {
	type place struct {
		doc    documented
		within string
		id     Identity
	}
	at := func(o *Object) place {
		if anywhere {
			return place{id: o.ID()}
		}
		return place{o.doc, o.within.String(), o.ID()}
	}
	known := make(map[place]*Object, len(before.Objects))
	for _, o := range before.Objects {
		switch _, twice := known[at(o)]; {
		case anywhere && twice:
			known[at(o)] = nil
		case anywhere || o.doc != nil:
			known[at(o)] = o
		}
	}
	for _, list := range [][]*Object{s.Objects, some} {
		for i, o := range list {
			was := known[at(o)]
			if was != nil && was.Placed == o.Placed && was.GivenNamespace == o.GivenNamespace && (!anywhere || tree.Equal(was.Tree, o.Tree)) {
				list[i] = was
			}
		}
	}
	return some
}
