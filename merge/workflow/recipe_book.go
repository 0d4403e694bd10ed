package workflow

import (
	"slices"
	"sync"

	"threeway/merge"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Book makes remedies for the findings of one run.
type Book struct {
	plan  *merge.Plan
	apply string
	opts  merge.Options
	live  *manifest.Snapshot
	run   func() *rehearsal.Run
	// renames are the objects that a manifest has under another name than the cluster, or as another kind.
	renames func() []impact.Rename

	manifests, running func() map[string][]*manifest.Object // Services and workloads by namespace
}

// NewBook is the book for a plan, which was made with the options. apply is the command line that
// applies the manifests.
func NewBook(plan *merge.Plan, opts merge.Options, apply string) *Book {
	b := &Book{plan: plan, apply: apply, opts: opts, live: opts.Live}
	if b.live == nil {
		b.live = &manifest.Snapshot{}
	}
	b.run = sync.OnceValue(func() *rehearsal.Run { return merge.NewRehearsal(opts, opts.Manifests.Objects...) })
	b.renames = sync.OnceValue(func() []impact.Rename { return append(impact.Renames(plan), retyped(plan)...) })
	b.manifests = sync.OnceValue(func() map[string][]*manifest.Object {
		all := map[string][]*manifest.Object{}
		for _, p := range plan.Set {
			if slices.Contains(kinds, p.Manifest.Kind.GroupKind()) {
				all[p.Manifest.Namespace] = append(all[p.Manifest.Namespace], p.Manifest)
			}
		}
		return all
	})
	b.running = sync.OnceValue(func() map[string][]*manifest.Object {
		all := map[string][]*manifest.Object{}
		for _, kind := range append(slices.Clone(kinds), "Pod") {
			for _, e := range b.live.EntriesOfKind(kind) {
				if len(e.Owners) == 0 {
					all[e.Namespace] = append(all[e.Namespace], e.Object())
				}
			}
		}
		return all
	})
	return b
}

// retyped are the workloads that a plan creates in place of one of the same name and another kind.
func retyped(plan *merge.Plan) (list []impact.Rename) {
	for _, old := range plan.Left {
		for _, o := range plan.Outcomes {
			if new := o.Manifest; moves(old) && moves(new) && o.Action == rehearsal.Created && new.Namespace == old.Namespace && new.Name == old.Name {
				list = append(list, impact.Rename{Old: old, New: o})
			}
		}
	}
	return list
}

// kinds are Services and what has pods for them.
var kinds = []string{"Service", "Deployment.apps", "StatefulSet.apps", "DaemonSet.apps", "ReplicaSet.apps", "ReplicationController"}

// service is a Service of the pods that a recipe is about.
type service struct {
	manifest *manifest.Object // nil if no manifest has it
	live     *manifest.Object // nil if it is new
	was, now tree.Object      // the labels that it selects by, today and in the end
}

// selects reports whether labels of pods are those that a Service asks for.
func selects(by, labels tree.Object) bool {
	s, ok := impact.Selector(tree.Object{"matchLabels": by})
	return ok && s.Matches(labels)
}

// look finds what is beside the object.
func (c *Case) look() {
	namespace := c.Manifest.Namespace
	was, now := c.labels()
	if c.Kind.GroupKind() == "Service" {
		c.services = []*service{{c.Manifest, c.Live, tree.Map(c.Before, "spec", "selector"), tree.Map(c.Manifest.Tree, "spec", "selector")}}
	} else if now != nil {
		c.services = c.of(namespace, was, now)
	}
	for _, o := range c.manifests()[namespace] {
		if o.Kind.GroupKind() == "Service" || o.ID() == c.Manifest.ID() {
			continue
		}
		if slices.ContainsFunc(c.services, func(s *service) bool {
			live := c.live.Find(o.ID())
			return selects(s.now, podLabels(o.Tree)) || live != nil && selects(s.was, podLabels(live.Tree))
		}) {
			c.beside = append(c.beside, o)
		}
	}
}

// labels are those of the pods of the object, today and in the end.
func (c *Case) labels() (was, now tree.Object) {
	live := c.Before
	if c.Old != nil {
		live = c.Old.Tree
	}
	return podLabels(live), podLabels(c.Manifest.Tree)
}

// of are the Services of a namespace that select pods with one or the other labels.
func (b *Book) of(namespace string, was, now tree.Object) (list []*service) {
	known := map[manifest.Identity]bool{}
	for _, o := range b.manifests()[namespace] {
		if o.Kind.GroupKind() != "Service" {
			continue
		}
		known[o.ID()] = true
		s := &service{manifest: o, now: tree.Map(o.Tree, "spec", "selector")}
		if live := b.live.Find(o.ID()); live != nil {
			s.live, s.was = live, tree.Map(live.Tree, "spec", "selector")
		}
		if selects(s.was, was) || selects(s.now, now) {
			list = append(list, s)
		}
	}
	for _, o := range b.running()[namespace] {
		if by := tree.Map(o.Tree, "spec", "selector"); o.Kind.GroupKind() == "Service" && !known[o.ID()] && selects(by, was) {
			list = append(list, &service{live: o, was: by, now: by})
		}
	}
	return list
}
