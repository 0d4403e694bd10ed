package impact

import (
	"sync"

	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/selector"
	"threeway/merge/tree"
)

// Budget is a PodDisruptionBudget that allows no eviction after the apply, although it
// did before it, or was not there.
type Budget struct {
	Object manifest.Identity
	// Scaled are the workloads of its pods that have another number of replicas.
	Scaled []*rehearsal.Outcome
}

// budgets lists those of the manifests and of the snapshot.
func (c *cluster) budgets(rollouts []*Rollout) (list []Budget) {
	scaled := map[string][]*rehearsal.Outcome{} // by namespace
	for _, r := range rollouts {
		if r.Scaling != nil {
			scaled[r.Outcome.Manifest.Namespace] = append(scaled[r.Outcome.Manifest.Namespace], r.Outcome)
		}
	}
	for _, p := range c.plan.Set {
		if id := p.Manifest.ID(); p.Manifest.Kind.GroupKind() == "PodDisruptionBudget.policy" {
			if o := p.Outcome(); o.Result != nil && !o.Stopped {
				list = c.blocking(list, id, o.Before, o.Result, scaled[id.Namespace])
			}
		}
	}
	if len(scaled) == 0 {
		return list
	}
	for _, e := range c.live.EntriesOfKind("PodDisruptionBudget.policy") {
		if _, planned := c.planned[e.ID()]; !planned && !c.pruned[e.ID()] && scaled[e.Namespace] != nil {
			list = c.blocking(list, e.ID(), e.Object().Tree, e.Object().Tree, scaled[e.Namespace])
		}
	}
	return list
}

// blocking adds a budget if it came to allow no eviction.
func (c *cluster) blocking(list []Budget, id manifest.Identity, before, after tree.Object, scaled []*rehearsal.Outcome) []Budget {
	s, ok := Selector(tree.Map(after, "spec", "selector"))
	if !ok {
		return list
	}
	b := Budget{Object: id}
	for _, o := range scaled {
		if s.Matches(tree.Map(template(o.Result), "metadata", "labels")) {
			b.Scaled = append(b.Scaled, o)
		}
	}
	if before != nil && b.Scaled == nil && tree.Equal(tree.Map(before, "spec"), tree.Map(after, "spec")) {
		return list
	}
	was, is, known := 0, 0, false
	if countsPods(before) || countsPods(after) {
		was, is, known = c.expected(id.Namespace, s)
	}
	if known && was > 0 && is == 0 {
		return list // no pod is left that a drain would wait for
	}
	known = known && is > 0
	if before != nil && allowsNone(before, was, known && was > 0) || !allowsNone(after, is, known) {
		return list
	}
	return append(list, b)
}

// wanting are the pods that a workload asks for, before and after the apply; known is false
// if nodes or completions decide.
type wanting struct {
	labels  tree.Object
	was, is int
	known   bool
}

// expected is how many pods the workloads of a namespace ask for that a selector matches,
// before and after the apply; known is false if these manifests and the snapshot do not tell.
func (c *cluster) expected(namespace string, s selector.Selector) (was, is int, known bool) {
	known = true
	for _, asks := range c.asking()[namespace] {
		if w := asks(); s.Matches(w.labels) {
			was, is, known = was+w.was, is+w.is, known && w.known
		}
	}
	return was, is, known
}

// findAsking are the workloads, by namespace. Each is decoded when it is asked.
func (c *cluster) findAsking() map[string][]func() wanting {
	found := map[string][]func() wanting{}
	add := func(id manifest.Identity, trees func() (before, after tree.Object)) {
		found[id.Namespace] = append(found[id.Namespace], sync.OnceValue(func() wanting {
			before, after := trees()
			return c.wanted(id, before, after)
		}))
	}
	for _, p := range c.plan.Set {
		if workloads[p.Manifest.Kind.GroupKind()] != nil {
			add(p.Manifest.ID(), func() (before, after tree.Object) { return p.Outcome().Before, c.after(p.Manifest.ID()) })
		}
	}
	for groupKind := range workloads {
		for _, e := range c.live.EntriesOfKind(groupKind) {
			if _, planned := c.planned[e.ID()]; len(e.Owners) == 0 && !planned && !c.pruned[e.ID()] {
				add(e.ID(), func() (before, after tree.Object) {
					live := e.Once().Tree
					return live, live
				})
			}
		}
	}
	return found
}

// wanted are the pods that a workload asks for; none if its owner asks for them.
func (c *cluster) wanted(id manifest.Identity, before, after tree.Object) wanting {
	if template(after) == nil || len(tree.List(after, "metadata", "ownerReferences")) > 0 {
		return wanting{known: true}
	}
	count := func(obj tree.Object) int { return c.least(scaleTarget{id.Namespace, id.Kind, id.Name}, desired(obj)) }
	w := wanting{labels: tree.Map(template(after), "metadata", "labels"), known: id.Kind != "DaemonSet" && id.Kind != "Job", is: count(after)}
	if before != nil {
		w.was = count(before)
	}
	return w
}

// countsPods reports whether how many pods there are decides what a budget allows.
func countsPods(budget tree.Object) bool {
	return !tree.Has(budget, "spec", "maxUnavailable") && tree.Has(budget, "spec", "minAvailable")
}

// allowsNone reports whether a budget lets no pod of so many be evicted, if all of them are
// ready; of how many that is certain if it is not known (pkg/controller/disruption
// getExpectedPodCount, which rounds up).
func allowsNone(budget tree.Object, pods int, known bool) bool {
	spec := tree.Map(budget, "spec")
	if most, is := spec["maxUnavailable"]; is {
		return scaledValue(most, 100, true) == 0
	}
	least, is := spec["minAvailable"]
	switch {
	case !is:
		return false // the default is none
	case !known:
		return least == "100%"
	}
	return scaledValue(least, pods, true) >= pods
}
