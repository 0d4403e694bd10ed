package rules

import (
	"fmt"

	"threeway/lint"
)

var policyWarns = &lint.Rule{
	ID:       "policy-warns",
	Title:    "an admission policy of the cluster warns of the object",
	Text:     "A ValidatingAdmissionPolicy of the snapshot finds a violation, and its binding warns instead of rejecting the object.",
	Why:      "The warning is lost in the log of a pipeline, until the binding is changed to Deny and the next apply fails.",
	Fix:      "Change the object to satisfy the policy.",
	Links:    []string{"https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/#validation-actions"},
	Severity: lint.Warning,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			for _, w := range o.Advice {
				p.Report(o, lint.Report{
					Message: fmt.Sprintf("the policy %s (binding %s) warns: %s", w.Policy, w.Binding, firstLine(o.Say(w.Message))),
					Fix:     "change the object to satisfy the policy",
				})
			}
		}
	},
}
