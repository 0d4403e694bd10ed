package lint

import (
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
)

// Owners returns the entries of the live object's managedFields.
func (o *Object) Owners() []owners.Entry { return o.owners() }

// OwnersOf returns the owners of the field at the path, of fields below it, and
// of parents that are owned as a whole. Items of lists are named by their keys.
func (o *Object) OwnersOf(p fieldpath.Path) []owners.Entry {
	return slices.DeleteFunc(slices.Clone(o.Owners()), func(w owners.Entry) bool { return !w.Owns(p) })
}

// ownedBy reports whether the finding is about a field of an accepted object
// that the manager owns. If the field is owned only in parts, the manager must
// own all of them.
func (f *Finding) ownedBy(manager string) bool {
	if f.object == nil || f.object.Action == rehearsal.Rejected || len(f.Path) == 0 {
		return false
	}
	path := f.object.Keyed(f.Path, f.object.Manifest.Tree)
	var own, others []fieldpath.Path
	for _, w := range f.object.Owners() {
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
