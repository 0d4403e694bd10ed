package explain

import (
	"slices"
	"strings"

	"threeway/merge/applier"
	"threeway/merge/by/flux"
	"threeway/merge/kube/schema"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// driftByManagers is Drift of an object of which no applied values are known: it goes by
// who wrote what after whom. A manager that applies owns a field until another changes its
// value, so what only others own they have changed or added. A field that was removed has
// no owner, and is not found.
func driftByManagers(o *rehearsal.Outcome) (fields []Drift, pending int, judged Judgement) {
	live, entries := o.Live.Tree, owners.Read(o.Live.Tree)
	if len(entries) == 0 {
		if _, _, err := rehearsal.ReadLastApplied(live); err != nil {
			return nil, 0, BadRecord
		}
		return nil, 0, Managerless
	}
	var applies []owners.Entry
	applied := ""
	for _, e := range entries {
		if Applies(e.Owner) {
			applies, applied = append(applies, e), max(applied, e.Time)
		}
	}
	if applies == nil {
		return nil, 0, Applierless
	}
	m := &managers{live: live, object: schema.Lookup(o.Kind)}
	for _, owned := range owners.Of(live, nil) {
		path := owned.Path
		value, there := path.Find(live)
		if !there || rehearsal.ServerOwned(path) || m.bookkeeping(path) ||
			slices.ContainsFunc(applies, func(e owners.Entry) bool { return e.Owns(path) }) {
			continue
		}
		d := Drift{Change: Change{Path: path, Old: value, InOld: true, Reason: OwnedBy}, Effect: Unknown}
		d.By, d.Since = writers(entries, path, "")
		config, sets := o.Find(path, o.Target())
		switch before := d.Since != "" && d.Since < applied; {
		case o.Manifest != o.Live && sets && tree.Equal(config, value):
			continue
		case o.Manifest != o.Live && sets && before:
			pending++ // new in the manifest: an apply after the write has not taken it over
			continue
		case o.Manifest != o.Live && sets:
			d.New, d.InNew, d.Reason, d.Effect = config, true, Set, onceAgain(applies)
		case !o.By.Claim().IsKubectl() && o.Action != rehearsal.Rejected && o.Manifest != o.Live:
			d.Effect = Keeps
			if _, stays := o.Find(path, o.Result); !stays {
				d.Effect, d.Reason = Undoes, Cleared
			}
		case before, o.Manifest != o.Live:
			d.Effect = Keeps
		case takenOverByFlux(applies, d.By):
			d.Effect = Undoes
		}
		fields = append(fields, d)
	}
	return fields, pending, ByManagers
}

// onceAgain is what the next run of who applies does to a field of the manifest that
// another manager has changed: an update and Argo CD's and Flux's applies set it back.
func onceAgain(applies []owners.Entry) Effect {
	if slices.ContainsFunc(applies, func(e owners.Entry) bool {
		return !e.Applies() || applier.IsManager(e.Manager) && e.Manager != applier.HelmManager
	}) {
		return Undoes
	}
	return Conflicts
}

// Applies reports whether an owner is a program that applies manifests: it applies
// server-side, or is one that is known to apply by updates.
func Applies(w owners.Owner) bool {
	return w.Subresource == "" && !slices.Contains(controllers, w.Manager) &&
		(w.Applies() || applier.IsManager(w.Manager) || w.Manager == owners.ClientSideApply)
}

// takenOverByFlux reports whether a Kustomization takes over what kubectl has written.
func takenOverByFlux(applies []owners.Entry, by []owners.Owner) bool {
	return slices.ContainsFunc(applies, func(e owners.Entry) bool { return e.Manager == flux.FluxManager }) &&
		slices.ContainsFunc(by, func(w owners.Owner) bool { return strings.HasPrefix(w.Manager, "kubectl") })
}
