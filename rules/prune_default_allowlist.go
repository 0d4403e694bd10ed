package rules

import (
	"threeway/lint"
)

var pruneDefaultAllowlist = &lint.Rule{
	ID:    "prune-default-allowlist",
	Title: "--prune without --prune-allowlist",
	Text: "The run prunes by label and does not list the kinds, so kubectl's built-in list applies. Reported once, at the first object of the " +
		"set.",
	Why: "The list contains Namespaces, PersistentVolumes and claims, but no Roles, PodDisruptionBudgets, autoscalers or custom resources: " +
		"--prune deletes more than you expect of some kinds and nothing of the others.",
	Fix:      "List the kinds of your manifests with --prune-allowlist, or use --applyset.",
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
			Message: "--prune uses kubectl's built-in list of kinds, which has Namespaces and claims, but not Roles, PodDisruptionBudgets and custom resources",
			Fix:     "list the kinds of your manifests with --prune-allowlist",
		})
	},
}
