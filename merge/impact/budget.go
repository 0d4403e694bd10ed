package impact

import (
	"slices"
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
	// Field is the one of its spec that says so: minAvailable or maxUnavailable.
	Field string
	// Pods is how many pods it protects, 0 if that is unknown.
	Pods int
	// Least is how many pods minAvailable needs so that one can be evicted; 0 if no number is enough.
	Least int
	// Scaled are the workloads of its pods that have another number of replicas.
	Scaled []*rehearsal.Outcome
}

// budgets lists those of the manifests and of the snapshot.
func (c *cluster) budgets(rollouts []*Rollout) (list []Budget) {
	scaled := map[string]*selector.Index[*rehearsal.Outcome]{} // by namespace
	for _, r := range rollouts {
		if namespace := r.Outcome.Manifest.Namespace; r.Scaling != nil {
			if scaled[namespace] == nil {
				scaled[namespace] = &selector.Index[*rehearsal.Outcome]{}
			}
			scaled[namespace].Add(tree.Map(template(r.Outcome.Result), "metadata", "labels"), r.Outcome)
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
func (c *cluster) blocking(list []Budget, id manifest.Identity, before, after tree.Object, scaled *selector.Index[*rehearsal.Outcome]) []Budget {
	selects, has := tree.Get(after, "spec", "selector")
	s, ok := Selector(tree.Map(selects))
	if !has || !ok && len(tree.Map(selects)) > 0 { // an empty one selects all pods of the namespace
		return list
	}
	b := Budget{Object: id, Field: "minAvailable", Scaled: slices.Collect(scaled.Matching(s))}
	if !countsPods(after) {
		b.Field = "maxUnavailable"
	}
	if before != nil && b.Scaled == nil && tree.Equal(tree.Map(before, "spec"), tree.Map(after, "spec")) {
		return list
	}
	was, is, known := 0, 0, false
	if countsPods(before) || countsPods(after) || before == nil {
		was, is, known = c.expected(id.Namespace, s)
	}
	if known && is == 0 && (was > 0 || c.runs(id.Namespace, s)) {
		return list // there is no pod that a drain would wait for
	}
	known = known && is > 0
	if before != nil && allowsNone(before, was, known && was > 0) || !allowsNone(after, is, known) {
		return list
	}
	if before != nil && !allowsNone(before, is, known) {
		b.Scaled = nil // the budget itself has become stricter
	}
	if known {
		b.Pods = is
	}
	if least, _ := tree.Get(after, "spec", "minAvailable"); least != "100%" {
		for b.Least = tree.Scaled(least, 1, true) + 1; allowsNone(after, b.Least, true) && b.Least <= 100; b.Least++ {
		}
	}
	return append(list, b)
}

// evicting is an outcome of a budget that says in its other field how many pods may be evicted, as if it
// had said it in the same one: the outcome itself if the number of pods is not known.
func (c *cluster) evicting(o *rehearsal.Outcome) *rehearsal.Outcome {
	if o.Kind.GroupKind() != "PodDisruptionBudget.policy" || o.Before == nil || o.Result == nil || countsPods(o.Before) == countsPods(o.Result) {
		return o
	}
	s, ok := Selector(tree.Map(o.Result, "spec", "selector"))
	_, pods, known := c.expected(o.Identity().Namespace, s)
	if !ok || !known || pods == 0 {
		return o
	}
	same := *o
	same.Before, same.Result = tree.CopyObject(o.Before), tree.CopyObject(o.Result)
	for _, budget := range []tree.Object{same.Before, same.Result} {
		spec := tree.Map(budget, "spec")
		least := tree.Scaled(spec["minAvailable"], pods, true)
		if most, is := spec["maxUnavailable"]; is {
			least = max(pods-tree.Scaled(most, pods, true), 0)
		}
		delete(spec, "minAvailable")
		delete(spec, "maxUnavailable")
		if spec["minAvailable"] = int64(least); !countsPods(o.Result) {
			spec["maxUnavailable"] = int64(max(pods-least, 0))
			delete(spec, "minAvailable")
		}
	}
	return &same
}

// runs reports whether a workload of a namespace has pods that a selector matches, or will
// have them when it is scaled up.
func (c *cluster) runs(namespace string, s selector.Selector) bool {
	if asking := c.asking()[namespace]; asking != nil {
		for range asking().Matching(s) {
			return true
		}
	}
	return false
}

// wanting are the pods that a workload asks for, before and after the apply; known is false
// if nodes or completions decide.
type wanting struct {
	was, is int
	known   bool
	// ports are the names that are the same number in the pods before and after the apply.
	ports portNames
	// id is that of the workload, and labels those of the pods before the apply, nil if there are none.
	id     manifest.Identity
	labels tree.Object
}

// expected is how many pods the workloads of a namespace ask for that a selector matches,
// before and after the apply; known is false if these manifests and the snapshot do not tell.
func (c *cluster) expected(namespace string, s selector.Selector) (was, is int, known bool) {
	if asking := c.asking()[namespace]; asking != nil {
		known = true
		for w := range asking().Matching(s) {
			was, is, known = was+w.was, is+w.is, known && w.known
		}
	}
	return was, is, known
}

// findAsking are the workloads by the labels of their pods, by namespace. Those of one are
// decoded when they are asked.
func (c *cluster) findAsking() map[string]func() *selector.Index[wanting] {
	type workload struct {
		id    manifest.Identity
		trees func() (before, after tree.Object)
	}
	in := map[string][]workload{}
	for _, p := range c.plan.Set {
		if id := p.Manifest.ID(); workloads[p.Manifest.Kind.GroupKind()] != nil {
			in[id.Namespace] = append(in[id.Namespace], workload{id, func() (before, after tree.Object) { return p.Outcome().Before, c.after(id) }})
		}
	}
	for groupKind := range workloads {
		for _, e := range c.live.EntriesOfKind(groupKind) {
			if _, planned := c.planned[e.ID()]; len(e.Owners) == 0 && !planned && !c.pruned[e.ID()] {
				in[e.Namespace] = append(in[e.Namespace], workload{e.ID(), func() (before, after tree.Object) {
					live := e.Once().Tree
					return live, live
				}})
			}
		}
	}
	found := map[string]func() *selector.Index[wanting]{}
	for namespace, list := range in {
		found[namespace] = sync.OnceValue(func() *selector.Index[wanting] {
			index := &selector.Index[wanting]{}
			for _, w := range list {
				before, after := w.trees()
				if template(after) != nil && len(tree.List(after, "metadata", "ownerReferences")) == 0 { // else its owner asks
					index.Add(tree.Map(template(after), "metadata", "labels"), c.wanted(w.id, before, after))
				}
			}
			return index
		})
	}
	return found
}

// wanted are the pods that a workload asks for.
func (c *cluster) wanted(id manifest.Identity, before, after tree.Object) wanting {
	count := func(obj tree.Object) int { return c.least(scaleTarget{id.Namespace, id.Kind, id.Name}, desired(obj)) }
	w := wanting{id: id, known: id.Kind != "DaemonSet" && id.Kind != "Job" && !unsized(after), is: count(after)}
	w.ports = podPorts(tree.Map(template(after), "spec"))
	if before != nil {
		w.was = count(before)
		w.labels = tree.Map(template(before), "metadata", "labels")
		w.ports = w.ports.common(podPorts(tree.Map(template(before), "spec")))
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
		return tree.Scaled(most, 100, true) == 0
	}
	least, is := spec["minAvailable"]
	switch {
	case !is:
		return false // the default is none
	case !known:
		return least == "100%"
	}
	return tree.Scaled(least, pods, true) >= pods
}
