package lint

import (
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
)

// Owners returns the entries of the live object's managedFields.
func (o *Object) Owners() []owners.Entry {
	return o.owners.Get(func() []owners.Entry {
		type live []owners.Entry
		return rehearsal.Remember(o.Outcome, func() live { return owners.Read(o.Before) })
	})
}

// OwnersOf returns the owners of the field at the path, of fields below it, and
// of parents that are owned as a whole. Items of lists are named by their keys.
func (o *Object) OwnersOf(p fieldpath.Path) []owners.Entry {
	return slices.DeleteFunc(slices.Clone(o.Owners()), func(w owners.Entry) bool { return !w.Owns(p) })
}

// owned reports whether the manager owns the field at the path, which is not that of
// the whole object, of an accepted object. If the field is owned only in parts, the manager must
// own all of them. No object has no owners.
func (o *Object) owned(path fieldpath.Path, manager string) bool {
	if o == nil || o.Action == rehearsal.Rejected || len(path) == 0 {
		return false
	}
	path = o.Keyed(path, o.Manifest.Tree)
	var own, others []fieldpath.Path
	for _, w := range o.Owners() {
		for _, p := range w.Leaves() {
			switch {
			case w.Manager == manager && p.Holds(path):
				return true
			case !path.Holds(p):
			case w.Manager == manager:
				own = append(own, p)
			default:
				others = append(others, p)
			}
		}
	}
	return len(own) > 0 && !slices.ContainsFunc(others, func(p fieldpath.Path) bool {
		return !slices.ContainsFunc(own, p.Equal)
	})
}
