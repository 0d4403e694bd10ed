package impact

import (
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// deployment is what the Deployment controller does: it replaces the pods when
// the template changes, unless the Deployment is paused
// (pkg/controller/deployment).
func (c *cluster) deployment(o *rehearsal.Outcome) *Rollout {
	r := &Rollout{Outcome: o, How: Unaffected, Counted: true}
	paused := tree.Bool(o.Result, "spec", "paused")
	if sameTemplate(template(o.Before), template(o.Result)) {
		pending := outdated(o)
		if pending == 0 || paused || !tree.Bool(o.Before, "spec", "paused") {
			return r
		}
		r.Released, r.Pods = true, pending
	}
	n, known, wanted := c.counted(o)
	if !r.Released {
		r.Pods, r.Counted = min(n, wanted), known
	}
	switch {
	case r.Counted && r.Pods == 0:
		r.How = NoPods
		return r
	case paused:
		r.How, r.Kept, r.Pods = Paused, r.Pods, 0
		return r
	case tree.String(o.Result, "spec", "strategy", "type") == "Recreate":
		r.How, r.AllDown = Recreate, StopsFirst
	default:
		r.How = Rolling
		r.Surge, r.Unavailable = fenceposts(tree.Map(o.Result, "spec", "strategy", "rollingUpdate"), wanted)
		if r.Unavailable >= wanted {
			r.AllDown = AllUnavailable
			if wanted == 1 {
				r.AllDown = OnePod
			}
		}
	}
	r.Blocks = c.blocks(o, r, wanted)
	return r
}

// outdated is how many pods do not have the newest template, as the status of the
// live object says.
func outdated(o *rehearsal.Outcome) int {
	all, ok := tree.Int(o.Before, "status", "replicas")
	updated, _ := tree.Int(o.Before, "status", "updatedReplicas")
	if !ok || updated > all {
		return 0
	}
	return int(all - updated)
}

// fenceposts are the bounds of a rolling update: surge is rounded up, unavailable
// down, and one of them is at least 1
// (pkg/controller/deployment/util/deployment_util.go ResolveFenceposts).
func fenceposts(rolling tree.Object, wanted int) (surge, unavailable int) {
	surge = tree.Scaled(rolling["maxSurge"], wanted, true)
	unavailable = tree.Scaled(rolling["maxUnavailable"], wanted, false)
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, min(unavailable, wanted)
}

// rolling is an outcome of a Deployment whose rollouts replace as many pods at a time as before, as if it
// had said so in the same words: the outcome itself if an autoscaler sets how many pods there are.
func (c *cluster) rolling(o *rehearsal.Outcome) *rehearsal.Outcome {
	was, is := tree.Map(o.Before, "spec", "strategy", "rollingUpdate"), tree.Map(o.Result, "spec", "strategy", "rollingUpdate")
	of := scaleTarget{o.Manifest.Namespace, o.Kind.Kind, o.Manifest.Name}
	n := desired(o.Result)
	if o.Kind.GroupKind() != "Deployment.apps" || was == nil || is == nil || n == 0 || unsized(o.Result) || c.scalers()[of] != nil || c.keda()[of] != 0 {
		return o
	}
	surge, unavailable := fenceposts(was, n)
	if s, u := fenceposts(is, n); s != surge || u != unavailable {
		return o
	}
	return asIf(o, func(before tree.Object) { tree.Set(before, map[string]any(is), "spec", "strategy", "rollingUpdate") })
}
