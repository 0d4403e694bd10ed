// Package owners reads metadata.managedFields: which manager owns which field
// of an object, by which operation and since when. Like the API server, it
// reads the FieldsV1 format with sigs.k8s.io/structured-merge-diff. It names
// fields with package fieldpath.
package owners

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	smd "sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// ClientSideApply is the manager of kubectl apply without --server-side.
const ClientSideApply = "kubectl-client-side-apply"

// Owner identifies an entry of managedFields: a manager, and how it owns
// fields.
type Owner struct {
	Manager     string
	Operation   string // Apply or Update
	Subresource string // "scale", "status" or another, mostly ""
	APIVersion  string
	Time        string // of its last write, "" if unknown
}

// The operations of managedFields.
const (
	Apply  = "Apply"
	Update = "Update"
)

// Applies reports whether the owner applied server-side, rather than by an
// update.
func (o Owner) Applies() bool { return o.Operation == Apply }

// Is reports whether both are the same entry, ignoring the time.
func (o Owner) Is(p Owner) bool {
	o.Time, p.Time = "", ""
	if o.Applies() {
		o.APIVersion, p.APIVersion = "", ""
	}
	return o == p
}

// String returns the manager with its subresource: kube-controller-manager
// (scale).
func (o Owner) String() string {
	if o.Subresource != "" {
		return fieldpath.Line(o.Manager + " (" + o.Subresource + ")")
	}
	return fieldpath.Line(o.Manager)
}

// Entry is an entry of managedFields: an owner and its fields. The zero value
// has none.
type Entry struct {
	Owner
	set    func() *smd.Set         // nil: none
	leaves func() []fieldpath.Path // nil: none
}

// Recorded reports whether the object was exported with its managedFields.
func Recorded(obj tree.Object) bool {
	return len(tree.List(obj, "metadata", "managedFields")) > 0
}

// Read returns the entries of an object's managedFields, in order. An entry
// that cannot be read has no fields.
func Read(obj tree.Object) []Entry { return ReadEntries(tree.List(obj, "metadata", "managedFields")) }

// ReadEntries is Read for managedFields without an object.
func ReadEntries(entries []any) []Entry {
	if len(entries) == 0 {
		return nil
	}
	known := recent.of(entries, func() []Entry {
		sets := sync.OnceValue(func() (sets []*smd.Set) {
			for _, e := range entries {
				sets = append(sets, written(e))
			}
			markBlocks(sets)
			return sets
		})
		list := make([]Entry, len(entries))
		for i, e := range entries {
			list[i].set = func() *smd.Set { return sets()[i] }
			list[i].leaves = sync.OnceValue(func() []fieldpath.Path { return leavesOf(written(e)) })
		}
		return list
	})
	list := slices.Clone(known)
	for i, e := range entries {
		list[i].Owner = ReadOwner(e)
	}
	return list
}

// written are the fields of an entry of managedFields; none if they cannot be read.
func written(entry any) *smd.Set {
	set, err := Fields(entry)
	if err != nil {
		return smd.NewSet()
	}
	return set
}

func leavesOf(set *smd.Set) (paths []fieldpath.Path) {
	set.Leaves().Iterate(func(p smd.Path) { paths = append(paths, PathOf(p)) })
	return paths
}

func entry(o Owner, set *smd.Set) Entry {
	return Entry{o, func() *smd.Set { return set }, sync.OnceValue(func() []fieldpath.Path { return leavesOf(set) })}
}

// ReadOwner returns the owner of an entry of managedFields.
func ReadOwner(entry any) Owner {
	return Owner{
		Manager: tree.String(entry, "manager"), Operation: tree.String(entry, "operation"), Subresource: tree.String(entry, "subresource"),
		APIVersion: tree.String(entry, "apiVersion"), Time: tree.String(entry, "time"),
	}
}

// Applies reports whether a manager has applied any field of a live object
// server-side.
func Applies(live tree.Object, manager string) bool {
	return slices.ContainsFunc(tree.List(live, "metadata", "managedFields"), func(e any) bool {
		w := ReadOwner(e)
		return w.Applies() && w.Manager == manager
	})
}

// Leaves returns the paths of the fields that contain no other fields of the
// entry. Items of lists are named by their keys.
func (e Entry) Leaves() []fieldpath.Path {
	if e.leaves == nil {
		return nil
	}
	return e.leaves()
}

// Owns reports whether the entry has the field at the path, a field below it,
// or a parent that is owned as a whole. An item of a list may be named by some
// of its keys.
func (e Entry) Owns(p fieldpath.Path) bool { return e.All().owns(p) }

// Shared returns the fields that both entries have.
func (e Entry) Shared(f Entry) Entry { return entry(e.Owner, e.fields().Intersection(f.fields())) }

// Without returns the fields that e has and f does not.
func (e Entry) Without(f Entry) Entry { return entry(e.Owner, e.fields().Difference(f.fields())) }

func (e Entry) fields() *smd.Set {
	if e.set == nil {
		return smd.NewSet()
	}
	return e.set()
}

// Owned is a field and all its owners.
type Owned struct {
	Path   fieldpath.Path
	Owners []Owner
}

// Of returns the fields of an object that have owners, at or below the given
// path, sorted by path.
func Of(obj tree.Object, below fieldpath.Path) []Owned {
	var all []Owned
	for _, e := range Read(obj) {
		for _, f := range e.Owned() {
			if f.Path.HasPrefix(below) {
				all = append(all, f)
			}
		}
	}
	return ByPath(all)
}

// Owned returns the leaves of one entry.
func (e Entry) Owned() []Owned {
	leaves := e.Leaves()
	list := make([]Owned, len(leaves))
	for i, path := range leaves {
		list[i] = Owned{path, []Owner{e.Owner}}
	}
	return list
}

// ByPath sorts fields by path and merges the owners of equal paths.
func ByPath(all []Owned) []Owned {
	slices.SortStableFunc(all, func(a, b Owned) int {
		x, y := a.Owners[0], b.Owners[0]
		return cmp.Or(strings.Compare(a.Path.String(), b.Path.String()), strings.Compare(x.Manager, y.Manager),
			strings.Compare(x.Operation, y.Operation), strings.Compare(x.Subresource, y.Subresource))
	})
	var joined []Owned
	for _, f := range all {
		if last := len(joined) - 1; last >= 0 && joined[last].Path.Equal(f.Path) {
			joined[last].Owners = append(joined[last].Owners, f.Owners...)
			continue
		}
		joined = append(joined, f)
	}
	return joined
}
