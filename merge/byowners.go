package merge

import (
	"threeway/merge/fault"
	"threeway/merge/owners"
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
	if p.By != nil {
		p.forceConflicts(opts)
		return
	}
	opts.ServerSide = &ServerSide{Manager: manager}
	asked, _ := newRun(opts, newCatalog(opts)).reveal(opts.Config.Objects)
	force := asked.Options
	force.ServerSide = &ServerSide{Manager: manager, Force: true}
	forced := newRun(force, newCatalog(force))
	opts.Cores.Do(len(p.Outcomes), func(i int) {
		o := p.Outcomes[i]
		if o.Live == nil || o.lastApplied != nil && !all || !owners.Applies(o.Before, manager) {
			return
		}
		refused := asked.object(o.Config)
		applied := forced.object(o.Config)
		applied.contend(refused)
		p.Outcomes[i] = applied
	})
}

// forceConflicts rehearses the apply of objects again that are rejected because of other
// managers.
func (p *Plan) forceConflicts(opts Options) {
	opts = p.By.options(opts)
	if opts.ServerSide == nil || opts.ServerSide.Force {
		return
	}
	opts.ServerSide = &ServerSide{Manager: opts.ServerSide.Manager, Force: true}
	r, _ := newRun(opts, newCatalog(opts)).reveal(opts.Config.Objects)
	opts.Cores.Do(len(p.Outcomes), func(i int) {
		if refused := p.Outcomes[i]; refused.Rejection.Has(fault.OtherManager) {
			p.Outcomes[i] = r.object(refused.Config)
			p.Outcomes[i].contend(refused)
		}
	})
}

// contend notes for which fields an apply was rejected that is not forced.
func (o *Outcome) contend(refused *Outcome) {
	for _, c := range refused.Rejection.With(fault.OtherManager) {
		o.Contended = append(o.Contended, c.Path)
	}
}

// AppliedServerSide reports whether Drift looks at the object server-side.
func (o *Outcome) AppliedServerSide() bool { return o.PatchType == Apply }
