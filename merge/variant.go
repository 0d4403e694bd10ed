package merge

import (
	"cmp"
	"fmt"
	"slices"

	"threeway/merge/by/argocd"
	"threeway/merge/fault"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
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
	if !p.By.Claim().IsKubectl() {
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
		p.Outcomes = append(p.Outcomes, &rehearsal.Outcome{By: p.By, Kind: o.Kind, Manifest: o, Live: o, States: rehearsal.States{Before: o.Tree, Result: o.Tree}, Action: rehearsal.Unchanged})
	}
}

// AsShown is the plan as Argo CD shows it: of each object that it compares the two forms
// that it compares, and as pruned what is in no manifest. Nothing in it is what a sync
// does.
func (p *Plan) AsShown() (*Plan, error) {
	app, is := p.By.(*argocd.Application)
	if !is {
		return nil, fmt.Errorf("no Application applies these manifests, so Argo CD shows nothing of them")
	}
	as := *p
	as.Shown, as.Outcomes, as.Prune, as.Notes, as.Warnings = true, nil, nil, nil, nil
	for _, o := range p.Outcomes {
		s := app.Shows(o)
		switch s.Status {
		case argocd.NoStatus:
			continue
		case argocd.UnknownStatus:
			return nil, fmt.Errorf("no difference is shown, and the Application is Unknown, because Argo CD cannot compare %s: %s", o.Identity(), s.Failed)
		}
		as.Outcomes = append(as.Outcomes, app.As(o, s))
	}
	if unread := app.Unread(rehearsal.Results{Set: p.Set, Outcomes: p.Outcomes}); unread != "" {
		as.Notes = append(as.Notes, unread)
	}
	if p.extraneous != nil && len(p.extraneous.Candidates) > 0 {
		as.Prune = &prune.Result{}
		for _, c := range p.extraneous.Candidates {
			as.Prune.Candidates = append(as.Prune.Candidates, prune.Candidate{Live: c.Live, Fate: prune.Pruned, Why: "OutOfSync: of Application " + app.String() + ", and in no manifest"})
		}
	}
	return &as, nil
}

// Then rehearses another config set on what the plan leaves: the live objects
// of opts, which are those that the plan was made with, with the accepted
// objects as they were stored and without the pruned ones.
func (p *Plan) Then(opts Options, config *manifest.Set) (*Plan, Options, error) {
	next, err := p.on(p.after(opts.Live, (*rehearsal.Outcome).Stored), &opts, config)
	return next, opts, err
}

// on rehearses a config set after the plan on the objects that it leaves, and sets the
// options for it.
func (p *Plan) on(left *manifest.Snapshot, opts *Options, config *manifest.Set) (*Plan, error) {
	opts.Manifests, opts.Live = config, left
	opts.LastApplied, opts.Base = nil, nil // now it is in the objects
	opts.Mutated = rehearsal.Mutated(p.Outcomes...)
	if opts.By != nil {
		opts.By = opts.By.Next(&manifest.Set{Objects: p.manifests()}).Arrange(config)
	}
	return New(*opts)
}

// manifests are those of the set.
func (p *Plan) manifests() []*manifest.Object {
	list := make([]*manifest.Object, len(p.Set))
	for i, o := range p.Set {
		list[i] = o.Manifest
	}
	return list
}

// after is the snapshot after the plan, with what as says of each object that it stores.
func (p *Plan) after(live *manifest.Snapshot, as func(*rehearsal.Outcome) tree.Object) *manifest.Snapshot {
	if live == nil {
		live = &manifest.Snapshot{}
	}
	stored := make([]*manifest.Object, len(p.Outcomes))
	p.run.Cores.Do(len(stored), func(i int) {
		if o := p.Outcomes[i]; o.Action != rehearsal.Rejected && o.Result != nil {
			stored[i] = o.Left(as(o))
		}
	})
	stored = slices.DeleteFunc(stored, func(o *manifest.Object) bool { return o == nil })
	gone := map[manifest.Identity]bool{}
	for _, c := range p.Prune.Pruned() {
		gone[c.Live.ID()] = true
	}
	return live.With(stored, gone)
}

// With is the plan with other outcomes of some of its objects, and with deletions of its own;
// nil keeps those of the plan.
func (p *Plan) With(outcomes []*rehearsal.Outcome, deleted *prune.Result) *Plan {
	by := map[manifest.Identity]*rehearsal.Outcome{}
	for _, o := range outcomes {
		by[o.Identity()] = o
	}
	as := *p
	if deleted != nil {
		as.Prune = deleted
	}
	as.Outcomes = slices.Clone(p.Outcomes)
	for i, o := range as.Outcomes {
		as.Outcomes[i] = cmp.Or(by[o.Identity()], o)
	}
	as.Set = slices.Clone(p.Set)
	for i, planned := range as.Set {
		if o := by[planned.Manifest.ID()]; o != nil {
			as.Set[i] = rehearsal.Planned{Manifest: o.Manifest, Outcome: func() *rehearsal.Outcome { return o }}
		}
	}
	return &as
}
