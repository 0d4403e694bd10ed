package merge

import (
	"threeway/merge/fault"
	"threeway/merge/owners"
)

// ByOwners makes the plan look server-side at the objects that the manager has
// applied so, for Drift: at those without last-applied, or at all. Nothing keeps
// the values that were applied server-side; but who changes one takes the
// field, with the time.
func (p *Plan) ByOwners(opts Options, manager string, all bool) {
	opts.Prune, opts.Base = nil, nil
	opts.ServerSide = &ServerSide{Manager: manager}
	asked, _ := newRun(opts).reveal(opts.Config.Objects)
	force := asked.Options
	force.ServerSide = &ServerSide{Manager: manager, Force: true}
	forced := newRun(force)
	opts.Cores.Do(len(p.Outcomes), func(i int) {
		o := p.Outcomes[i]
		if o.Live == nil || o.lastApplied != nil && !all || !owners.Applies(o.Before, manager) {
			return
		}
		refused := asked.object(o.Config)
		applied := forced.object(o.Config)
		for _, c := range refused.Rejection.With(fault.OtherManager) {
			applied.Contended = append(applied.Contended, c.Path)
		}
		p.Outcomes[i] = applied
	})
}

// AppliedServerSide reports whether Drift looks at the object server-side.
func (o *Outcome) AppliedServerSide() bool { return o.PatchType == Apply }
