package rules

import (
	"threeway/lint"
)

var pruneDefaultAllowlist = &lint.Rule{
	ID:    "prune-default-allowlist",
	Title: "--prune without --prune-allowlist",
	Text:  "The apply prunes by label and does not name the kinds, so that kubectl's built-in list counts. Reported once, at the first object of the set.",
	Why: "The list has Namespaces, PersistentVolumes and claims, and lacks Roles, PodDisruptionBudgets, autoscalers and all custom resources: " +
		"it deletes more than expected of some kinds and leaves all of the others.",
	Fix:      "Name the kinds of the set with --prune-allowlist, one for each, or use --applyset.",
	Links:    []string{declarative + "#alternative-kubectl-apply-f-directory-prune", pruneKEP},
	Severity: lint.Warning,
	Needs:    lint.Prune,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		prune := p.Options.Prune
		if len(prune.Allowlist) > 0 || prune.ApplySet != "" {
			return
		}
		p.ReportRun(lint.Report{
			Message: "the run prunes by kubectl's built-in list of kinds, which has Namespaces and claims and lacks Roles, budgets and custom resources",
			Fix:     "name the kinds of the set with --prune-allowlist",
		})
	},
}
