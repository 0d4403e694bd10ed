package impact

import (
	"fmt"

	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/selector"
	"threeway/merge/tree"
)

// Selector reads a metav1.LabelSelector; an empty one is not ok.
func Selector(m tree.Object) (s selector.Selector, ok bool) {
	for key, value := range tree.Map(m, "matchLabels") {
		text, _ := value.(string)
		s = append(s, selector.Requirement{Key: key, Op: "in", Values: []string{text}})
	}
	for _, e := range tree.List(m, "matchExpressions") {
		r := selector.Requirement{Key: tree.String(e, "key")}
		for _, v := range tree.List(e, "values") {
			text, _ := v.(string)
			r.Values = append(r.Values, text)
		}
		switch tree.String(e, "operator") {
		case "In":
			r.Op = "in"
		case "NotIn":
			r.Op = "notin"
		case "Exists":
			r.Op = "exists"
		case "DoesNotExist":
			r.Op = "!"
		default:
			return nil, false
		}
		s = append(s, r)
	}
	return s, len(s) > 0
}

// selectors are the fields by which objects select pods.
var selectors = map[string][]string{
	"Service":                         {"spec", "selector"},
	"PodDisruptionBudget.policy":      {"spec", "selector"},
	"NetworkPolicy.networking.k8s.io": {"spec", "podSelector"},
}

// selecting is an outcome with the selector that it has after the apply before it, too, if that
// matches the same pods, of the workloads of the manifests and the snapshot: the outcome itself
// if it does not, or matches none.
func (c *cluster) selecting(o *rehearsal.Outcome) *rehearsal.Outcome {
	at := selectors[o.Kind.GroupKind()]
	if at == nil || o.Before == nil || o.Result == nil {
		return o
	}
	was, is := tree.Map(o.Before, at...), tree.Map(o.Result, at...)
	if tree.Equal(was, is) || MeansSame(o, fieldpath.New(at...)) {
		return o
	}
	namespace := o.Identity().Namespace
	if !c.same.Get(fmt.Sprint(o.Kind.Kind, namespace, was, is), func() bool {
		return c.samePods(namespace, selectorOf(o.Kind, was), selectorOf(o.Kind, is))
	}) {
		return o
	}
	return asIf(o, func(before tree.Object) { tree.Set(before, is, at...) })
}

// SamePods reports whether a path is in a selector that matches the same pods before and after the
// apply.
func (i *Impact) SamePods(o *rehearsal.Outcome, path fieldpath.Path) bool {
	at := selectors[o.Kind.GroupKind()]
	return at != nil && path.HasPrefix(fieldpath.New(at...)) && i.cluster.selecting(o) != o
}

// selectorOf reads a selector as the kind has it, nil if it selects no pods or all.
func selectorOf(k schema.Kind, m tree.Object) selector.Selector {
	switch k.GroupKind() {
	case "Service", "ReplicationController": // of which one is a map of labels
		m = tree.Object{"matchLabels": m}
	}
	s, _ := Selector(m)
	return s
}

// samePods reports whether two selectors match the same pods of a namespace, and some: those that
// run, and those of the workloads after the apply.
func (c *cluster) samePods(namespace string, was, is selector.Selector) bool {
	asking := c.asking()[namespace]
	if asking == nil || was == nil || is == nil {
		return false
	}
	matched := map[manifest.Identity]bool{}
	for w := range asking().Matching(was) {
		matched[w.id] = true
	}
	n := 0
	for w := range asking().Matching(is) {
		if n++; !matched[w.id] || w.labels != nil && was.Matches(w.labels) != is.Matches(w.labels) {
			return false
		}
	}
	pods := c.pods.Get(namespace, func() *selector.Index[tree.Object] {
		pods := &selector.Index[tree.Object]{}
		for _, e := range c.live.EntriesOfKind("Pod") {
			if e.Namespace == namespace {
				labels := tree.Map(e.Once().Tree, "metadata", "labels")
				pods.Add(labels, labels)
			}
		}
		return pods
	})
	found := n > 0
	for _, pair := range [][2]selector.Selector{{was, is}, {is, was}} {
		for labels := range pods.Matching(pair[0]) {
			if found = true; !pair[1].Matches(labels) {
				return false
			}
		}
	}
	return n == len(matched) && found
}
