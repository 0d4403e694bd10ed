package impact

import (
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// statefulSet is what the StatefulSet controller does: from the highest pod down
// to the partition it deletes one pod at a time, and starts it anew under the same
// name (pkg/controller/statefulset/stateful_set_control.go).
func (c *cluster) statefulSet(o *rehearsal.Outcome) *Rollout {
	if !tree.Equal(tree.Map(o.Before, "spec", "ordinals"), tree.Map(o.Result, "spec", "ordinals")) {
		return nil // pods get other names, which is more than a rollout
	}
	r := &Rollout{Outcome: o, How: Unaffected, Counted: true}
	n, known, wanted := c.counted(o)
	n = min(n, wanted)
	if sameRevision(template(o.Before), template(o.Result)) {
		released := n - partition(o.Result)
		if !onDelete(o.Before) {
			released = min(n, partition(o.Before)) - partition(o.Result)
		}
		released = min(released, outdated(o))
		if released <= 0 || onDelete(o.Result) {
			return r
		}
		r.Released, r.Pods = true, released
	} else {
		r.Pods, r.Kept, r.Counted = max(0, n-partition(o.Result)), min(n, partition(o.Result)), known
	}
	switch {
	case r.Counted && n == 0:
		r.How = NoPods
		return r
	case onDelete(o.Result):
		r.How, r.Kept, r.Pods = OnDelete, n, 0
		return r
	case r.Counted && r.Pods == 0:
		r.How = Held
		return r
	}
	r.How, r.Unavailable = Rolling, 1
	if v, ok := tree.Get(o.Result, "spec", "updateStrategy", "rollingUpdate", "maxUnavailable"); ok {
		r.Unavailable = max(1, tree.Scaled(v, wanted, false))
	}
	switch {
	case wanted == 1:
		r.AllDown = OnePod
	case r.Unavailable >= wanted && r.Pods >= wanted:
		r.AllDown = AllUnavailable
	}
	r.Blocks = c.blocks(o, r, wanted)
	return r
}

// partition is below which number the pods of a StatefulSet keep an old template.
func partition(obj tree.Object) int {
	n, _ := tree.Int(obj, "spec", "updateStrategy", "rollingUpdate", "partition")
	return int(n)
}

// onDelete reports whether a StatefulSet or DaemonSet replaces only pods that someone deletes.
func onDelete(obj tree.Object) bool {
	return tree.String(obj, "spec", "updateStrategy", "type") == "OnDelete"
}
