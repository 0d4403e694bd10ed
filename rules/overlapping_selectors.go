package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/selector"
	"threeway/merge/tree"
)

var overlappingSelectors = &lint.Rule{
	ID:    "overlapping-selectors",
	Title: "two workloads select each other's pods",
	Text:  "Two workloads of the same kind and namespace have selectors that both match the pod templates of both.",
	Why: "kubectl rollout, an autoscaler and a PodDisruptionBudget count too many pods, and when one workload is deleted with its pods " +
		"orphaned, the other adopts them.",
	Fix:      "Give each workload its own label, in the template and in the selector, before it is created; the selector is immutable.",
	Links:    []string{issue + "26202", "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#selector"},
	Severity: lint.Warning,
	Run: func(p *lint.Pass) {
		type peers struct {
			kind      schema.Kind
			namespace string
		}
		set := map[peers][]lint.Member{}
		place := map[*manifest.Object]int{}
		for i, o := range p.Set() {
			of := peers{o.Manifest.Kind, o.Manifest.Namespace}
			set[of] = append(set[of], o)
			place[o.Manifest] = i
		}
		templates := map[peers]*selector.Index[*lint.Object]{}
		for o := range p.Accepted() {
			if !o.Is("Deployment.apps", "StatefulSet.apps", "DaemonSet.apps", "ReplicaSet.apps") {
				continue
			}
			own, ok := impact.Selector(tree.Map(o.Result, "spec", "selector"))
			if !ok {
				continue
			}
			of := peers{o.Kind, o.Manifest.Namespace}
			if templates[of] == nil {
				templates[of] = &selector.Index[*lint.Object]{}
				for _, m := range set[of] {
					if other := m.Object(); other.Result != nil {
						templates[of].Add(tree.Map(other.Result, "spec", "template", "metadata", "labels"), other)
					}
				}
			}
			for first := range templates[of].Matching(own) {
				if place[first.Manifest] >= place[o.Manifest] {
					break
				}
				if first.Identity() != o.Identity() && selects(first, o) {
					p.Report(o, lint.Report{
						Path:    fieldpath.New("spec", "selector"),
						Message: fmt.Sprintf("the selector also matches the pods of %s, whose selector matches these pods", first.Name()),
						Notes:   []string{first.Manifest.Place(fieldpath.New("spec", "selector")).String() + " is the other selector"},
						Fix:     "give each workload its own label",
					})
					break
				}
			}
		}
	},
}

func selects(o, other *lint.Object) bool {
	s, ok := impact.Selector(tree.Map(o.Result, "spec", "selector"))
	return ok && s.Matches(tree.Map(other.Result, "spec", "template", "metadata", "labels"))
}
