package rules

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
)

var rolloutBlocked = &lint.Rule{
	ID:    "rollout-blocked",
	Title: "new pods of a rollout cannot start",
	Text: "The pod template of a workload changes, and its new pods need something that the old ones hold: a claim that is " +
		"ReadWriteOncePod, or ReadWriteOnce and not tied to a node (warning), while maxUnavailable rounds down to 0; or more than a " +
		"ResourceQuota of the namespace allows. A PodDisruptionBudget does not matter: a rollout deletes pods and evicts none.",
	Why: "A new pod waits for the old one to stop, and the old one for the new one to be ready. The rollout hangs, and is reported as " +
		"failed after progressDeadlineSeconds.",
	Fix: "For a claim, use the strategy Recreate, or maxSurge 0 with maxUnavailable 1. For a quota, raise it, request less, or set maxUnavailable to 1 if " +
		"only the additional pod is too much.",
	Links: []string{"https://kubernetes.io/docs/concepts/storage/persistent-volumes/#access-modes",
		"https://kubernetes.io/docs/concepts/policy/resource-quotas/", "https://kubernetes.io/docs/concepts/workloads/pods/disruptions/"},
	Severity: lint.Error,
	Needs:    lint.Live,
	Run: func(p *lint.Pass) {
		for o, r := range rollouts(p) {
			if !r.Restarts() {
				continue
			}
			for _, b := range r.Blocks {
				found := lint.Report{Path: fieldpath.New("spec", "template"), Message: "the rollout gets stuck: " + b.Words(), Fix: unblock(b)}
				if !b.Certain {
					found.Severity, found.Message = lint.Warning, "the rollout may get stuck: "+b.Words()
				}
				p.Report(o, found)
			}
		}
	},
}

func unblock(b impact.Block) string {
	if b.Mode != "" {
		return "use the strategy Recreate, or set maxSurge: 0 and maxUnavailable: 1 under spec.strategy.rollingUpdate"
	}
	return "raise " + b.Resource + " of the quota, or request less in the pod template"
}
