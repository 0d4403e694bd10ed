package merge

import (
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
)

// Then rehearses another config set on what the plan leaves: the live objects
// of opts, which are those that the plan was made with, with the accepted
// objects as they were stored and without the pruned ones.
func (p *Plan) Then(opts Options, config *manifest.Set) (*Plan, Options, error) {
	opts.Manifests, opts.Live = config, p.after(opts.Live)
	opts.LastApplied, opts.Base = nil, nil // now it is in the objects
	opts.Mutated = rehearsal.Mutated(p.Outcomes...)
	if opts.By != nil {
		opts.By = opts.By.Next(&manifest.Set{Objects: p.manifests()}).Arrange(config)
	}
	next, err := New(opts)
	return next, opts, err
}

// manifests are those of the set.
func (p *Plan) manifests() []*manifest.Object {
	list := make([]*manifest.Object, len(p.Set))
	for i, o := range p.Set {
		list[i] = o.Manifest
	}
	return list
}

// after is the snapshot after the plan.
func (p *Plan) after(live *manifest.Snapshot) *manifest.Snapshot {
	if live == nil {
		live = &manifest.Snapshot{}
	}
	var stored []*manifest.Object
	for _, o := range p.Outcomes {
		if o.Action == rehearsal.Rejected || o.Result == nil {
			continue
		}
		obj := *o.Manifest
		obj.Tree = o.Stored()
		stored = append(stored, &obj)
	}
	gone := map[manifest.Identity]bool{}
	if p.Prune != nil {
		for _, c := range p.Prune.Pruned() {
			gone[c.Live.ID()] = true
		}
	}
	return live.With(stored, gone)
}
