package workflow

import (
	"cmp"
	"slices"

	"threeway/merge"
	"threeway/merge/applier"
	"threeway/merge/manifest"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// kept is the step that keeps old objects from being deleted by the run that no longer has their manifests; none
// if it deletes none of them.
func (c *Case) kept(olds []*manifest.Object) []Step {
	run := c.plan.By.Run()
	s := Step{Text: "Keep the old " + olds[0].Kind.Kind + " from being deleted by the " + run}
	if len(olds) > 1 {
		s.Text = "Keep the old objects from being deleted by the " + run
	}
	for _, p := range c.plan.Prune.Pruned() {
		for _, old := range olds {
			if old.ID() == p.Live.ID() && c.prunesByItself() {
				s.Commands = append(s.Commands, shell.Line("kubectl patch", Target(old), shell.Option("--type=merge"), shell.JSON("-p", tree.Object{"metadata": c.mark()})))
			}
		}
	}
	if s.Commands == nil {
		return nil
	}
	return []Step{s}
}

// prunesByItself reports whether each run deletes: Argo CD does in a sync only when asked to, once its automated
// sync is off.
func (c *Case) prunesByItself() bool { return c.plan.By.Claim().Program != applier.ArgoCD }

// mark is the patch of the metadata of a live object for which it is not deleted: kubectl prunes only what has
// last-applied, or is in the ApplySet, and Helm looks for an annotation (helm pkg/kube/client.go update).
func (c *Case) mark() tree.Object {
	switch {
	case c.plan.By.Claim().Program == applier.Helm:
		return tree.Object{"annotations": tree.Object{"helm.sh/resource-policy": "keep"}}
	case c.plan.ApplySet != nil:
		return c.plan.ApplySet.Leaving()
	}
	return tree.Object{"annotations": tree.Object{tree.LastApplied: nil}}
}

// prunes deletes what the program deletes after it has applied the manifests.
func (w *walk) prunes() error {
	near := false
	for _, p := range w.plan.Prune.Pruned() {
		near = near || p.Live.Namespace == w.Manifest.Namespace || w.Old != nil && p.Live.Namespace == w.Old.Namespace
	}
	if !near || !w.prunesByItself() {
		return nil
	}
	var left []*manifest.Object
	gone := map[manifest.Identity]bool{}
	for id, o := range w.left {
		if o.Tree == nil {
			gone[id] = true
		} else {
			left = append(left, o)
		}
	}
	slices.SortFunc(left, func(a, b *manifest.Object) int { return cmp.Compare(a.ID().String(), b.ID().String()) })
	opts := w.opts
	opts.Live, opts.Before = w.live.With(left, gone), w.plan
	plan, err := merge.New(opts)
	if err != nil {
		return err
	}
	for _, p := range plan.Prune.Pruned() {
		o := *p.Live.Object()
		o.Tree = nil
		w.delete(&o, false)
	}
	return nil
}
