package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
)

var restartWithoutOverlap = &lint.Rule{
	ID:    "restart-without-overlap",
	Title: "a changed pod template stops all pods at once",
	Text:  "The pod template of a workload changes, and no pod runs for a while: the strategy is Recreate, or maxUnavailable allows all pods to be down. For a single pod, only the plan says so.",
	Why:   "No pod serves requests until the first new one is ready. If none becomes ready, the outage lasts until you intervene.",
	Fix: "Use RollingUpdate with maxUnavailable below the number of replicas, or maxSurge above 0, or apply when an interruption is " +
		"acceptable.",
	Links: []string{"https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#strategy",
		"https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#update-strategies"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Run: func(p *lint.Pass) {
		for o, r := range rollouts(p) {
			if !r.Restarts() || r.AllDown == "" || r.Pods == 1 {
				continue
			}
			p.Report(o, lint.Report{Path: fieldpath.New("spec", "template"), Message: "apply " + r.Words(), Fix: overlapFix(o, r)})
		}
	},
}

// overlapFix tells how to keep a pod running.
func overlapFix(o *lint.Object, r *impact.Rollout) string {
	switch {
	case r.AllDown == impact.StopsFirst:
		return "use the strategy RollingUpdate if two versions of the pod can run side by side; else apply when an interruption is acceptable"
	case o.Is("Deployment.apps"):
		return fmt.Sprintf("set spec.strategy.rollingUpdate.maxSurge to at least 1 and maxUnavailable to %s", atMost(r.Unavailable-1))
	case o.Is("DaemonSet.apps", "StatefulSet.apps"):
		return fmt.Sprintf("set spec.updateStrategy.rollingUpdate.maxUnavailable to %s", atMost(max(r.Unavailable, 2)-1))
	}
	return "apply when an interruption is acceptable"
}

func atMost(n int) string {
	if n <= 0 {
		return "0"
	}
	return fmt.Sprintf("%d or less", n)
}
