package rehearsal

import (
	"cmp"
	"slices"
	"strings"

	"threeway/merge/applier"
	"threeway/merge/kube"
	"threeway/merge/owners"
)

// Contest is a field that the config sets and others own.
type Contest struct {
	owners.Owned
	// Taken says that the config has another value: an apply takes the field
	// from the others, server-side only if forced to. Else both own it.
	Taken bool
	// Removed says that the config does not set it, and that the applier takes it over
	// all the same, so that it goes.
	Removed bool
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
func (r *Run) contest(o *Outcome) ([]Contest, error) {
	if o.Live == nil || !owners.Recorded(o.Before) {
		return nil, nil
	}
	if by := o.By.Claim(); by.Program != applier.Kubectl && o.Action != Rejected {
		return o.Transfers(by.Manager()), nil
	}
	request := kube.ApplyRequest{Manifest: o.Target(), Manager: cmp.Or(r.Manager, owners.ClientSideApply), Force: true}
	if r.ServerSide != nil {
		request.Manager = r.ServerSide.Manager
	}
	entries, err := r.Server.Owners(o.Kind, o.Before, request)
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
	if r.ServerSide == nil && o.Result != nil {
		after = owners.Read(o.Stored()) // an update takes only what it changes
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

// Transfers compares the owners before and after the apply of a manager: an applier may
// take over what others own before it applies.
func (o *Outcome) Transfers(manager string) []Contest {
	after := owners.Read(o.Stored())
	mine := owners.Entry{}
	for _, f := range after {
		if f.Manager == manager && (f.Applies() || !mine.Applies()) {
			mine = f
		}
	}
	var taken, shared, gone []owners.Owned
	for _, others := range owners.Read(o.Before) {
		if others.Manager == manager || others.Subresource != "" && others.Subresource != "scale" {
			continue
		}
		left := owners.Entry{}
		for _, f := range after {
			if f.Is(others.Owner) {
				left = f
			}
		}
		taken = append(taken, others.Shared(mine).Without(left).Owned()...)
		shared = append(shared, left.Shared(mine).Owned()...)
		if others.APIVersion == o.Kind.APIVersion() { // the result has the names of this version
			gone = append(gone, others.Without(left).Without(mine).Owned()...)
		}
	}
	all := contests(taken, shared)
	for _, f := range owners.ByPath(gone) {
		if _, stays := f.Path.Find(o.Result); !stays {
			all = append(all, Contest{Owned: f, Removed: true})
		}
	}
	slices.SortStableFunc(all, byPath)
	return all
}

func byPath(a, b Contest) int { return strings.Compare(a.Path.String(), b.Path.String()) }

func contests(taken, shared []owners.Owned) []Contest {
	var all []Contest
	for _, f := range owners.ByPath(taken) {
		all = append(all, Contest{Owned: f, Taken: true})
	}
	for _, f := range owners.ByPath(shared) {
		all = append(all, Contest{Owned: f})
	}
	slices.SortStableFunc(all, byPath)
	return all
}
