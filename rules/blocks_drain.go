package rules

import (
	"fmt"
	"slices"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var blocksDrain = &lint.Rule{
	ID:    "blocks-drain",
	Title: "a PodDisruptionBudget blocks every eviction",
	Text: "After the apply a budget allows no eviction even while all its pods are ready: maxUnavailable is 0, or minAvailable is 100% or " +
		"at least the number of replicas. Before the apply it allowed one, or did not exist. The minimum of an autoscaler counts; DaemonSets and Jobs have no number of replicas to compare with. Two budgets for the same pods block evictions, too.",
	Why: "The eviction API keeps answering 429, or 500 for pods with two budgets: kubectl drain and upgrades of nodes hang.",
	Fix: "Set maxUnavailable to 1, or run more replicas than minAvailable. Keep one budget for the pods.",
	Links: []string{"https://kubernetes.io/docs/tasks/run-application/configure-pdb/",
		"https://kubernetes.io/docs/concepts/workloads/pods/disruptions/#pod-disruption-budgets"},
	Severity: lint.Warning,
	Effect:   impact.Says,
	Run: func(p *lint.Pass) {
		for _, b := range p.Impact().Budgets {
			for o := range p.Accepted() {
				if path := blockedAt(o, b); path != nil {
					p.Report(o, lint.Report{Path: path, LivePath: path, Message: blockedText(b), Fix: blockedFix(b)})
					break
				}
			}
		}
		reportTwins(p)
	},
}

// reportTwins reports the budgets whose pods have another one: the eviction API takes none of the two
// (pkg/registry/core/pod/storage/eviction.go).
func reportTwins(p *lint.Pass) {
	c := clusterOf(p)
	told := map[string]bool{}
	for o := range p.Accepted() {
		if !o.Is(budget) {
			continue
		}
		s, ok := podSelector(o, o.Result)
		if !ok && len(tree.Map(o.Result, "spec", "selector")) > 0 || !tree.Has(o.Result, "spec", "selector") {
			continue
		}
		for t := range c.selected(o.Manifest.Namespace, true, s) {
			labels, spec := t.after()
			had, _ := t.before()
			var others []string
			before := 0
			for k := range c.selecting(budget, o.Manifest.Namespace, labels) {
				if k.source.Name != o.Manifest.Name {
					others = append(others, k.source.Name)
				}
				if protects(k.before, had) {
					before++
				}
			}
			slices.Sort(others)
			all := fmt.Sprint(slices.Sorted(slices.Values(append(others, o.Manifest.Name))))
			if spec == nil || others == nil || before > 1 || protects(o.Before, had) || told[all] { // one that is new tells it
				continue
			}
			told[all] = true
			p.Report(o, lint.Report{
				Path: fieldpath.New("spec", "selector"),
				Message: fmt.Sprintf("the pods of %s %s have %d PodDisruptionBudgets, this one and %s: the eviction API rejects pods with more than one, and node drains will fail",
					t.source.Kind.Kind, t.source.Name, len(others)+1, phrase.Some(others)),
				Fix: "keep one budget for these pods",
			})
		}
	}
}

// protects reports whether a budget selects pods with labels.
func protects(budget, labels tree.Object) bool {
	s, _ := impact.Selector(tree.Map(budget, "spec", "selector"))
	return budget != nil && labels != nil && s.Matches(labels)
}

// blockedAt is the field of an object of the manifests by which a budget came to block; nil
// if that is another object.
func blockedAt(o *lint.Object, b impact.Budget) fieldpath.Path {
	switch {
	case b.Scaled == nil && o.Identity() == b.Object:
		return fieldpath.New("spec", b.Field)
	case b.Scaled != nil && o.Identity() == b.Scaled[0].Identity():
		return fieldpath.New("spec", "replicas")
	}
	return nil
}

func blockedText(b impact.Budget) string {
	pods, budget := "its pods", "the budget"
	switch {
	case b.Pods == 1:
		pods = "its only pod"
	case b.Pods > 1:
		pods = fmt.Sprintf("its %d pods", b.Pods)
	}
	if b.Scaled != nil {
		budget = "PodDisruptionBudget " + b.Object.Name
	}
	return budget + " blocks every eviction of " + pods + ": node drains will hang"
}

func blockedFix(b impact.Budget) string {
	switch {
	case b.Field == "maxUnavailable":
		return "set maxUnavailable to 1 or more"
	case b.Pods > 1:
		return fmt.Sprintf("set minAvailable to %d or less", b.Pods-1)
	case b.Pods == 1 && b.Least > 0:
		return fmt.Sprintf("run at least %d replicas, or set maxUnavailable: 1 instead of minAvailable if a drain may stop the only pod", b.Least)
	}
	return "set maxUnavailable: 1 instead of minAvailable"
}
