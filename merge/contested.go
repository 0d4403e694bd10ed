package merge

import (
	"cmp"
	"slices"
	"strings"

	"threeway/merge/owners"
	"threeway/merge/serverside"
)

// ExportManagers is the command that exports objects with their owners, which
// plain `kubectl get -o yaml` leaves out.
const ExportManagers = "kubectl get KIND -A --show-managed-fields -o yaml"

// Contest is a field that the config sets and others own.
type Contest struct {
	owners.Owned
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
	if o.Live == nil || !owners.Recorded(o.Before) {
		return nil, nil
	}
	request := serverside.Request{Config: o.Config.Tree, Manager: cmp.Or(r.Manager, owners.ClientSideApply), Force: true}
	if r.ServerSide != nil {
		request.Manager = r.ServerSide.Manager
	}
	entries, err := r.server.Owners(o.Kind, o.Before, request)
	if err != nil {
		return nil, err
	}
	after := owners.ReadEntries(entries)
	mine := owners.Entry{}
	for _, f := range after {
		if f.Manager == request.Manager && f.Applies() {
			mine = f
		}
	}
	var taken, shared []owners.Owned
	for _, others := range owners.Read(o.Before) {
		if others.Manager == request.Manager && (others.Applies() || r.ServerSide == nil && others.Subresource == "") {
			continue
		}
		left := owners.Entry{}
		for _, f := range after {
			if f.Is(others.Owner) {
				left = f
			}
		}
		contested := others.Shared(mine)
		taken = append(taken, contested.Without(left).Owned()...)
		shared = append(shared, contested.Shared(left).Owned()...)
	}
	return contests(taken, shared), nil
}

func contests(taken, shared []owners.Owned) []Contest {
	var all []Contest
	for _, f := range owners.ByPath(taken) {
		all = append(all, Contest{f, true})
	}
	for _, f := range owners.ByPath(shared) {
		all = append(all, Contest{f, false})
	}
	slices.SortStableFunc(all, func(a, b Contest) int { return strings.Compare(a.Path.String(), b.Path.String()) })
	return all
}
