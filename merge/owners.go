package merge

import (
	"cmp"
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/serverside"
	"threeway/merge/tree"
)

// Owner is an entry of managedFields: who owns fields, and how.
type Owner = serverside.Owner

// Owned is a field and all who own it.
type Owned struct {
	Path   fieldpath.Path
	Owners []Owner
}

// ExportManagers is the command that exports objects with their owners, which
// plain `kubectl get -o yaml` leaves out.
const ExportManagers = "kubectl get KIND -A --show-managed-fields -o yaml"

// HasManagers reports whether the object was exported with its owners.
func HasManagers(obj tree.Object) bool {
	return len(tree.List(obj, "metadata", "managedFields")) > 0
}

// Owners lists by path the fields of an object that somebody owns, those at or
// below the given path.
func Owners(obj tree.Object, below fieldpath.Path) []Owned {
	var all []Owned
	for _, entry := range serverside.ReadEntries(tree.List(obj, "metadata", "managedFields")) {
		for _, f := range owned(entry) {
			if f.Path.HasPrefix(below) {
				all = append(all, f)
			}
		}
	}
	return byPath(all)
}

// byPath sorts by path and joins the owners of the same field.
func byPath(all []Owned) []Owned {
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

// Contest is a field that the config sets and others own.
type Contest struct {
	Owned
	// Taken says that the config has another value: an apply takes the field
	// from the others, server-side only if forced to. Else both own it.
	Taken bool
}

// Contested lists by path the fields of the config that others own, nil if
// there is no live object or it has no managedFields. The error is why the
// config cannot be merged.
func (o *Outcome) Contested() ([]Contest, error) {
	if o.contested == nil {
		return nil, nil
	}
	return o.contested()
}

// contest compares the owners before and after a forced server-side apply.
func (r *run) contest(o *Outcome) ([]Contest, error) {
	if o.Live == nil || !HasManagers(o.Before) {
		return nil, nil
	}
	request := serverside.Request{Config: o.Config.Tree, Manager: cmp.Or(r.Manager, applier), Force: true}
	if r.ServerSide != nil {
		request.Manager = r.ServerSide.Manager
	}
	entries, err := r.server.Owners(o.Kind, o.Before, request)
	if err != nil {
		return nil, err
	}
	after := serverside.ReadEntries(entries)
	mine := serverside.Fields{}
	for _, f := range after {
		if f.Manager == request.Manager && f.Applies() {
			mine = f
		}
	}
	var taken, shared []Owned
	for _, others := range serverside.ReadEntries(tree.List(o.Before, "metadata", "managedFields")) {
		if others.Manager == request.Manager && (others.Applies() || r.ServerSide == nil && others.Subresource == "") {
			continue
		}
		left := serverside.Fields{}
		for _, f := range after {
			if f.Is(others.Owner) {
				left = f
			}
		}
		contested := others.Shared(mine)
		taken = append(taken, owned(contested.Without(left))...)
		shared = append(shared, owned(contested.Shared(left))...)
	}
	return contests(taken, shared), nil
}

func contests(taken, shared []Owned) []Contest {
	var all []Contest
	for _, f := range byPath(taken) {
		all = append(all, Contest{f, true})
	}
	for _, f := range byPath(shared) {
		all = append(all, Contest{f, false})
	}
	slices.SortStableFunc(all, func(a, b Contest) int { return strings.Compare(a.Path.String(), b.Path.String()) })
	return all
}

// owned lists the fields of one owner.
func owned(f serverside.Fields) []Owned {
	var list []Owned
	for _, path := range f.Leaves() {
		list = append(list, Owned{path, []Owner{f.Owner}})
	}
	return list
}
