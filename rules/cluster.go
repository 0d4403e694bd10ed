package rules

import (
	"iter"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// cluster is what the manifests and the snapshot know of the cluster before and
// after the apply. Rules that look from one object at another ask it.
type cluster struct {
	p       *lint.Pass
	set     map[manifest.Identity]lint.Member
	byKind  map[string][]lint.Member   // the set, by Kind.group
	left    map[manifest.Identity]bool // manifests that are not applied, such as those that -l leaves out
	deleted map[manifest.Identity]bool
	cover   coverage
}

// clusterOf is the cluster of a run.
func clusterOf(p *lint.Pass) *cluster {
	return lint.SharedByRun(p, func() *cluster {
		c := &cluster{p: p, set: map[manifest.Identity]lint.Member{}, byKind: map[string][]lint.Member{},
			left: map[manifest.Identity]bool{}, deleted: map[manifest.Identity]bool{}}
		for _, m := range p.Set() {
			c.set[m.Manifest.ID()] = m
			kind := m.Manifest.Kind.GroupKind()
			c.byKind[kind] = append(c.byKind[kind], m)
		}
		for _, o := range p.Options.Manifests.Objects {
			if id := o.ID(); len(p.Options.Manifests.Objects) != len(c.set) {
				_, applied := c.set[id]
				c.left[id] = !applied
			}
		}
		for _, d := range p.Plan.Prune.Pruned() {
			c.deleted[d.Live.ID()] = true
			for _, taken := range d.Takes {
				c.deleted[taken.Live.ID()] = true
			}
		}
		c.cover = newCoverage(c)
		return c
	})
}

// before is a live object as it is before the apply, nil if the snapshot has none.
func (c *cluster) before(id manifest.Identity) tree.Object {
	if m, ok := c.set[id]; ok {
		return m.Object().Before
	}
	if c.p.Options.Live == nil {
		return nil
	}
	if o := c.p.Options.Live.Find(id); o != nil {
		return o.Tree
	}
	return nil
}

// after is an object as it is after the apply, nil if no manifest has it and the
// snapshot does not, or if prune deletes it. A rejected object stays as it is; one
// that is rejected and not live counts as created, since its rejection is told.
func (c *cluster) after(id manifest.Identity) tree.Object {
	m, ok := c.set[id]
	switch {
	case !ok && c.deleted[id]:
		return nil
	case !ok:
		return c.before(id)
	}
	return afterApply(m.Object())
}

func afterApply(o *lint.Object) tree.Object {
	switch {
	case o.Result != nil:
		return o.Result
	case o.Before != nil:
		return o.Before
	}
	return o.Manifest.Tree
}

// known is an object of the cluster: of the set, or else of the snapshot.
type known struct {
	source        *manifest.Object // the manifest, or the live object
	before, after tree.Object      // nil where there is none
	rejected      bool             // the manifest is, so that after is not what it says
}

// ofKind yields the objects of a kind (Kind.group), those of the set first.
func (c *cluster) ofKind(groupKind string) iter.Seq[known] {
	return func(yield func(known) bool) {
		for _, m := range c.byKind[groupKind] {
			o := m.Object()
			if !yield(known{m.Manifest, o.Before, afterApply(o), o.Result == nil}) {
				return
			}
		}
		if c.p.Options.Live == nil {
			return
		}
		for _, e := range c.p.Options.Live.EntriesOfKind(groupKind) {
			id := e.ID()
			if _, inSet := c.set[id]; inSet {
				continue
			}
			o := e.Object()
			k := known{source: o, before: o.Tree, after: o.Tree}
			if c.deleted[id] {
				k.after = nil
			}
			if !yield(k) {
				return
			}
		}
	}
}

// changes reports whether an apply changes an object in a way that is known:
// created says that the object is new to the cluster.
func (c *cluster) changes(o *lint.Object) (created, ok bool) {
	switch {
	case o.Result == nil:
		return false, false
	case o.Live != nil:
		return false, o.Action == rehearsal.Configured
	}
	live := c.p.Options.Live
	sure := c.p.Options.Base != nil || c.p.Options.EmptyCluster || live != nil && live.Covers(o.Kind.Group, o.Kind.Kind)
	return true, sure
}

// changed yields the accepted objects that the apply changes, as changes tells, and
// whether it creates them.
func (c *cluster) changed() iter.Seq2[*lint.Object, bool] {
	return func(yield func(*lint.Object, bool) bool) {
		for o := range c.p.Accepted() {
			if created, ok := c.changes(o); ok && !yield(o, created) {
				return
			}
		}
	}
}
