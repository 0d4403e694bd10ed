package impact

import (
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// daemonSet is what the DaemonSet controller does: it replaces the pods of some
// nodes at a time, with surge the new pod before the old one stops
// (pkg/controller/daemon/update.go rollingUpdate).
func (c *cluster) daemonSet(o *rehearsal.Outcome) *Rollout {
	r := &Rollout{Outcome: o, How: Unaffected, Counted: true}
	n64, _ := tree.Int(o.Before, "status", "desiredNumberScheduled")
	n, known := int(n64), observed(o)
	if sameRevision(template(o.Before), template(o.Result)) {
		updated, _ := tree.Int(o.Before, "status", "updatedNumberScheduled")
		r.Pods = n - int(updated)
		if r.Pods <= 0 || onDelete(o.Result) || !onDelete(o.Before) {
			r.Pods = 0
			return r
		}
		r.Released = true
	} else {
		r.Pods, r.Counted = n, known
	}
	switch {
	case r.Counted && n == 0:
		r.How = NoPods
		return r
	case onDelete(o.Result):
		r.How, r.Kept, r.Pods = OnDelete, n, 0
		return r
	}
	r.How = Rolling
	if !r.Counted {
		return r
	}
	rolling := tree.Map(o.Result, "spec", "updateStrategy", "rollingUpdate")
	r.Surge, r.Unavailable = tree.Scaled(rolling["maxSurge"], n, true), tree.Scaled(rolling["maxUnavailable"], n, true)
	if r.Surge == 0 && r.Unavailable >= n {
		r.AllDown = AllUnavailable
		if n == 1 {
			r.AllDown = OnePod
		}
	}
	r.Blocks = c.blocks(o, r, n)
	return r
}
