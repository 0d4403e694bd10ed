package rules

import (
	"fmt"
	"slices"

	"threeway/lint"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
	"threeway/rules/reference"
)

var podsRejected = &lint.Rule{
	ID:    "pods-rejected",
	Title: "the server accepts a workload and rejects its Pods",
	Text: "Apply accepts the workload, but admission would reject its Pods: they violate the Pod Security level of the namespace, a " +
		"LimitRange, a ResourceQuota or a ValidatingAdmissionPolicy, contradict their RuntimeClass or PriorityClass, or name such a " +
		"class or a ServiceAccount that does not exist. Also reported, at what the apply changes or prunes: live workloads whose next " +
		"Pod is rejected after it, and CronJobs whose next Job is. Not reported: workloads at zero replicas, suspended ones, and Jobs " +
		"that have ended.",
	Why: "Apply succeeds and no Pod starts: a rollout hangs, and Pods that end are not replaced. Only the events of the controller show " +
		"it (FailedCreate).",
	Fix:      "Change the pod template so that its Pods are admitted, or change what the namespace requires.",
	Links:    []string{"https://kubernetes.io/docs/concepts/security/pod-security-admission/", "https://kubernetes.io/docs/concepts/policy/limit-range/"},
	Severity: lint.Error,
	Effect:   impact.Strands,
	Run: func(p *lint.Pass) {
		said := map[manifest.Identity]bool{}
		for o := range p.Accepted() {
			template, ok := workload(o)
			if !ok {
				continue
			}
			if why := o.Say(o.RejectedPods().Text); why != "" && !missesClass(p, o) {
				said[o.Identity()] = true
				effect := impact.None
				if o.Live != nil {
					effect = impact.Strands
				}
				p.Report(o, lint.Report{
					Effect:  effect,
					Path:    template.Child("spec"),
					Message: fmt.Sprintf("the API server accepts the %s but rejects its Pods: %s", o.Kind.Kind, why),
					Fix:     "change the pod template so that its Pods are admitted, or change what the namespace requires",
				})
			}
		}
		for _, t := range p.Impact().Tightenings() {
			pods := slices.DeleteFunc(slices.Clone(t.Pods), func(d rehearsal.Denied) bool { return said[d.Object.ID()] })
			reportDenied(p, t.By, t.Reached, pods, lint.Report{
				Message: phrase.Count(len(pods), "workload cannot restart, as the server rejects its next Pod: ", "workloads cannot restart, as the server rejects their next Pods: "),
				Fix:     "change the pod templates first, or what the server then asks of their Pods",
			})
		}
	},
}

// missesClass reports whether missing-reference says why the Pods are rejected.
func missesClass(p *lint.Pass, o *lint.Object) bool {
	if p.Options.Live == nil && !p.Options.EmptyCluster {
		return false
	}
	return slices.ContainsFunc(clusterOf(p).missing(o), func(ref reference.Reference) bool { return misses(o, ref) })
}
