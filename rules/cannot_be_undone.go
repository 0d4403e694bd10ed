package rules

import (
	"threeway/lint"
)

var cannotBeUndone = &lint.Rule{
	ID:    "cannot-be-undone",
	Title: "applying the previous manifest does not undo the change",
	Text:  "An apply of the previous manifest (last-applied, or --base) after this one would be rejected. If it would only leave some fields different from today, the plan says so.",
	Why:   "You notice it only when the rollback fails.",
	Fix:   "Plan how to fix forward, and save the live object before the apply.",
	Links: []string{declarative + "#how-apply-calculates-differences-and-merges-changes",
		"https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#upgrade-existing-objects-to-a-new-stored-version"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			if r := p.Impact().Remainder(o.Identity()); r != nil && r.Rejected() {
				p.Report(o, lint.Report{
					Message: "this apply " + r.Words(p.Rejection(r.Back)),
					Fix:     "apply it only if you will not need to roll back",
				})
			}
		}
	},
}
