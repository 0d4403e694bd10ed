package workflow

import (
	"cmp"
	"slices"

	"threeway/merge"
	"threeway/merge/applier"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// kept is the step that keeps old objects from being deleted by the run that no longer has their manifests; none
// if it deletes none of them.
func (c *Case) kept(olds []*manifest.Object) []Step {
	var pruned []*manifest.Object
	for _, p := range c.plan.Prune.Pruned() {
		if slices.ContainsFunc(olds, func(old *manifest.Object) bool { return old.ID() == p.Live.ID() && c.prunesByItself() }) {
			pruned = append(pruned, p.Live.Object())
		}
	}
	if pruned == nil {
		return nil
	}
	return []Step{c.marked(pruned)}
}

// prunesByItself reports whether each run deletes: Argo CD does in a sync only when asked to, once its automated
// sync is off.
func (c *Case) prunesByItself() bool { return c.plan.By.Claim().Program != applier.ArgoCD }

// mark is the patch of the metadata of a live object for which it is not deleted: kubectl prunes only what has
// last-applied, or is in the ApplySet, and others look for an annotation (helm pkg/kube/client.go update,
// gitops-engine pkg/sync/sync_context.go pruneObject, fluxcd ssa/manager_delete.go Delete).
func (c *Case) mark() tree.Object {
	var key, value any = tree.LastApplied, nil
	switch c.plan.By.Claim().Program {
	case applier.Helm:
		key, value = "helm.sh/resource-policy", "keep"
	case applier.ArgoCD:
		key, value = "argocd.argoproj.io/sync-options", "Prune=false"
	case applier.Flux:
		key, value = "kustomize.toolkit.fluxcd.io/prune", "disabled"
	default:
		if c.plan.ApplySet != nil {
			return c.plan.ApplySet.Leaving()
		}
	}
	return tree.Object{"annotations": tree.Object{key.(string): value}}
}

// prunes deletes what the program deletes after it has applied the manifests.
func (w *walk) prunes() error {
	near := w.Run == nil
	for _, p := range w.plan.Prune.Pruned() {
		near = near || p.Live.Namespace == w.Manifest.Namespace || w.Old != nil && p.Live.Namespace == w.Old.Namespace
	}
	if !near || w.Run != nil && !w.prunesByItself() {
		return nil
	}
	plan, err := w.again()
	switch {
	case err != nil:
		return err
	case len(plan.Refused) > 0:
		return plan.Refused[0]
	}
	for _, p := range plan.Prune.Pruned() {
		o := *p.Live.Object()
		o.Tree = nil
		w.delete(&o, false)
	}
	return nil
}

// again is the plan for what the steps have left.
func (w *walk) again() (*merge.Plan, error) {
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
	if set := w.plan.ApplySet; set != nil { // which has labeled the manifests
		manifests := *opts.Manifests
		manifests.Objects = nil
		for _, o := range opts.Manifests.Objects {
			manifests.Objects = append(manifests.Objects, set.Unlabeled(o))
		}
		opts.Manifests = &manifests
	}
	return merge.New(opts)
}
