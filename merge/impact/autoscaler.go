package impact

import (
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Resize is how many pods an autoscaler that comes or changes gives what it scales, because
// the number that is asked for is not in its range. It does so without metrics
// (pkg/controller/podautoscaler/horizontal.go reconcileAutoscaler).
type Resize struct {
	Autoscaler *rehearsal.Outcome
	Target     manifest.Identity
	Scaling
}

// Bound is the field of the autoscaler that the number of pods becomes.
func (r *Resize) Bound() string {
	if r.From < r.To {
		return "spec.minReplicas"
	}
	return "spec.maxReplicas"
}

// resizes lists those of the autoscalers of the manifests.
func (c *cluster) resizes(rollouts map[manifest.Identity]*Rollout) (list []Resize) {
	for _, o := range c.plan.Outcomes {
		if o.Kind.GroupKind() != "HorizontalPodAutoscaler.autoscaling" || o.Stopped || o.Result == nil || o.Action != rehearsal.Created && o.Action != rehearsal.Configured {
			continue
		}
		ref := scales(o.Result)
		target := manifest.Identity{Group: "apps", Kind: ref.kind, Namespace: ref.namespace, Name: ref.name}
		if ref.kind == "ReplicationController" {
			target.Group = ""
		}
		obj := c.after(target)
		if obj == nil || unsized(obj) {
			continue
		}
		n := desired(obj)
		if r := rollouts[target]; o.Before != nil && scales(o.Before) == ref && (r == nil || r.Scaling == nil) {
			n = bounded(o.Before, n) // a base does not have the number
		}
		if m := bounded(o.Result, n); m != n {
			list = append(list, Resize{o, target, Scaling{From: n, To: m}})
		}
	}
	return list
}

// bounded is what an autoscaler makes of a number of pods that is not in its range; it does
// not start from 0.
func bounded(autoscaler tree.Object, n int) int {
	most, limited := tree.Int(autoscaler, "spec", "maxReplicas")
	switch {
	case n == 0:
		return n
	case limited && n > int(most):
		return int(most)
	}
	return max(n, fewest(autoscaler))
}

// fewest is how many pods an autoscaler keeps at least.
func fewest(autoscaler tree.Object) int {
	if n, set := tree.Int(autoscaler, "spec", "minReplicas"); set {
		return int(n)
	}
	return 1
}

// scales is what an autoscaler scales.
func scales(autoscaler tree.Object) scaleTarget {
	ref := tree.Map(autoscaler, "spec", "scaleTargetRef")
	return scaleTarget{tree.String(autoscaler, "metadata", "namespace"), tree.String(ref, "kind"), tree.String(ref, "name")}
}
