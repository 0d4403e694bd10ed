package rules

import (
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/prune"
)

var applysetNamespacedParent = &lint.Rule{
	ID:    "applyset-namespaced-parent",
	Title: "the parent limits the ApplySet to one namespace",
	Text: "--applyset names a parent that lives in a namespace, such as a Secret or ConfigMap, and there is no -n, or objects are in " +
		"other namespaces than the one of -n. Reported once, at the first object.",
	Why: "kubectl needs -n for such a parent, and with -n it rejects each object of another namespace: after any error nothing is pruned.",
	Fix: "Pass -n. For an ApplySet that spans namespaces use a cluster-scoped custom resource as the parent, or apply one ApplySet for each " +
		"namespace, each with its own name.",
	Links:    []string{declarative + "#alternative-kubectl-apply-f-directory-prune", pruneKEP, "https://github.com/kubernetes/enhancements/pull/3919"},
	Severity: lint.Error,
	Needs:    lint.Prune,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		if refused(p, prune.NoNamespace) != nil {
			p.ReportRun(lint.Report{
				Message: "the parent " + p.Plan.ApplySet.Identity().String() + " lives in a namespace, and -n is missing: kubectl refuses to run",
				Fix:     "pass -n with the namespace of the objects",
			})
			return
		}
		if p.Plan.ApplySet == nil || !p.Plan.ApplySet.Namespaced() {
			return
		}
		var others []string
		for o := range p.Objects() {
			if ns := o.Manifest.Namespace; ns != "" && ns != p.Options.Namespace && !slices.Contains(others, ns) {
				others = append(others, ns)
			}
		}
		if len(others) > 0 {
			slices.Sort(others)
			p.ReportRun(lint.Report{
				Message: "the parent " + p.Plan.ApplySet.Identity().String() + " limits the ApplySet to namespace " + p.Options.Namespace + ", but there are objects in " +
					strings.Join(others, ", ") + ": kubectl rejects them and prunes nothing",
				Fix: "use a cluster-scoped custom resource as the parent, or one ApplySet for each namespace",
			})
		}
	},
}
