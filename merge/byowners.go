package merge

import (
	"threeway/merge/applier"
	"threeway/merge/fault"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
)

// ByOwners makes the plan look server-side at the objects that the manager has
// applied so, for Drift: at those without last-applied, or at all. Nothing keeps
// the values that were applied server-side; but who changes one takes the
// field, with the time.
//
// Another applier has decided how it applies: of its plan only those objects are forced
// that another manager has changed.
func (p *Plan) ByOwners(opts Options, manager string, all bool) {
	opts.Prune, opts.Base = nil, nil
	if p.Parts != nil {
		p.Outcomes = nil
		for _, part := range p.Parts {
			part.ByOwners(part.run.given, manager, all)
			p.Outcomes = append(p.Outcomes, part.Outcomes...)
		}
		return
	}
	if p.By.Claim().Program != applier.Kubectl {
		p.forceConflicts(opts)
		return
	}
	each := opts.rehearsed().Options
	each.ServerSide = &rehearsal.ServerSide{Manager: manager}
	asked := rehearsal.Alone(each, opts.Manifests.Objects...)
	force := asked.Options
	force.ServerSide = &rehearsal.ServerSide{Manager: manager, Force: true}
	forced := rehearsal.Alone(force)
	opts.Cores.Do(len(p.Outcomes), func(i int) {
		o := p.Outcomes[i]
		if o.Live == nil || o.Original != nil && !all || !owners.Applies(o.Before, manager) {
			return
		}
		refused := asked.Object(o.Manifest)
		applied := forced.Object(o.Manifest)
		applied.Contend(refused)
		p.Outcomes[i] = applied
	})
}

// forceConflicts rehearses the apply of objects again that are rejected because of other
// managers.
func (p *Plan) forceConflicts(opts Options) {
	each := opts.rehearsed().Options
	if each.ServerSide == nil || each.ServerSide.Force {
		return
	}
	each.ServerSide = &rehearsal.ServerSide{Manager: each.ServerSide.Manager, Force: true}
	r := rehearsal.Alone(each, opts.Manifests.Objects...)
	opts.Cores.Do(len(p.Outcomes), func(i int) {
		if refused := p.Outcomes[i]; refused.Rejection.Has(fault.OtherManager) {
			p.Outcomes[i] = r.Object(refused.Manifest)
			p.Outcomes[i].Contend(refused)
		}
	})
}

// Standing adds the outcomes of live objects that no manifest is given for: they are as
// they are, and their own managers tell what Drift can say of them.
func (p *Plan) Standing(live []*manifest.Object) {
	for _, o := range live {
		p.Outcomes = append(p.Outcomes, &rehearsal.Outcome{By: p.By, Kind: o.Kind, Manifest: o, Live: o, Before: o.Tree, Result: o.Tree, Action: rehearsal.Unchanged})
	}
}
