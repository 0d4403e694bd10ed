package merge

import (
	"slices"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/parallel"
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
	parallel.Do(len(p.Outcomes), func(i int) {
		o := p.Outcomes[i]
		if o.Live == nil || o.lastApplied != nil && !all || !applies(o.Before, manager) {
			return
		}
		refused := asked.object(o.Config)
		applied := forced.object(o.Config)
		for _, c := range refused.Rejection.With(fault.OtherManager) {
			applied.contended = append(applied.contended, c.Path)
		}
		p.Outcomes[i] = applied
	})
}

// AppliedServerSide reports whether Drift looks at the object server-side.
func (o *Outcome) AppliedServerSide() bool { return o.PatchType == Apply }

// driftByOwners is Drift of an object that is applied server-side. A field of
// the config that others own, and that they have written since the last apply,
// has drifted; what the config says of it by now is all that is known of what
// was applied.
func (o *Outcome) driftByOwners() (fields []Drift, pending int) {
	applied := ""
	entries := owners.Read(o.Before)
	for _, e := range entries {
		if e.Manager == o.applier && e.Applies() {
			applied = max(applied, e.Time)
		}
	}
	for _, c := range o.Changes() {
		_, inConfig := c.Path.Find(o.Config.Tree)
		d := Drift{Change: c}
		all, _ := writers(entries, c.Path)
		own := slices.ContainsFunc(all, func(w owners.Owner) bool { return w.Applies() && w.Manager == o.applier })
		for _, w := range all {
			if !w.Applies() || w.Manager != o.applier {
				d.By, d.Since = append(d.By, w), max(d.Since, w.Time)
			}
		}
		kept := c.Reason == Kept || c.Reason == OwnedBy
		switch {
		case own:
			pending++ // as we applied it, and the config has changed
		case kept && (len(d.By) == 0 || c.Bookkeeping):
		case kept:
			fields = append(fields, d)
		case c.Reason == Defaulted || c.Reason == Normalised || c.Reason == Dropped:
		case !inConfig || writtenBefore(d.By, applied): // nobody has it, or had it when we applied
			pending++
		default:
			d.Contended = slices.ContainsFunc(o.contended, func(p fieldpath.Path) bool { return p.Holds(c.Path) || c.Path.Holds(p) })
			fields = append(fields, d)
		}
	}
	return fields, pending
}

// writtenBefore reports whether all owners have written before a time. kubectl
// scale leaves none.
func writtenBefore(by []owners.Owner, time string) bool {
	return !slices.ContainsFunc(by, func(w owners.Owner) bool { return w.Time == "" || w.Time >= time })
}
