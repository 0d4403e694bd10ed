package rules

import (
	"threeway/lint"
	"threeway/merge/prune"
)

var pruneNamespaceNotVisited = &lint.Rule{
	ID:    "prune-namespace-not-visited",
	Title: "--prune no longer visits a namespace",
	Text:  "Live objects that kubectl applied and that match -l are left in a namespace in which no manifest has an object any more.",
	Why: "kubectl visits only the namespaces of the objects that it has just applied. When the last manifest of a namespace is removed, its objects stay and keep " +
		"working.",
	Fix:      "Delete them by hand, or keep one object in the namespace until the others are pruned; --applyset records namespaces.",
	Links:    []string{"https://github.com/kubernetes/kubectl/issues/555", issue + "85357", pruneKEP},
	Severity: lint.Warning,
	Needs:    lint.Prune,
	Since:    "0.1",
	Run:      func(p *lint.Pass) { reportMissed(p, prune.NotVisited, "delete it by hand") },
}
