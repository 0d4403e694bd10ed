package merge

import (
	"threeway/merge/fault"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/schema"
	"threeway/merge/strategic"
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
			part.ByOwners(part.run.Options, manager, all)
			p.Outcomes = append(p.Outcomes, part.Outcomes...)
		}
		return
	}
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

// Intended is the outcome as if the server accepted what it rejects: its Result is then
// the live object with the patch, without defaults and unchecked. It is nil if there is no
// live object, or if no patch could be computed.
func (o *Outcome) Intended() *Outcome {
	if o.Action != Rejected {
		return o
	}
	if o.Before == nil || o.Patch == nil {
		return nil
	}
	m := *o
	m.Action, m.Rejection = Configured, nil
	switch o.PatchType {
	case StrategicMerge:
		patched, err := strategic.Apply(o.Before, o.Patch, schema.Lookup(o.Kind))
		if err != nil {
			return nil
		}
		m.Result = patched
	case JSONMerge:
		m.Result = strategic.JSONApply(o.Before, o.Patch)
	default:
		return nil
	}
	return &m
}

// Standing adds the outcomes of live objects that no manifest is given for: they are as
// they are, and their own managers tell what Drift can say of them.
func (p *Plan) Standing(live []*manifest.Object) {
	for _, o := range live {
		p.Outcomes = append(p.Outcomes, &Outcome{Kind: o.Kind, Config: o, Live: o, Before: o.Tree, Result: o.Tree, Action: Unchanged})
	}
}
