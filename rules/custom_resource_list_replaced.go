package rules

import (
	"threeway/lint"
)

var customResourceListReplaced = &lint.Rule{
	ID:    "custom-resource-list-replaced",
	Title: "a custom resource's list loses what only live has",
	Text: "kubectl merges custom resources without knowing their lists, so that a list in the config replaces the live one. Here the live " +
		"list has items that neither the config nor the one applied before has.",
	Why:      "What a controller or a person has added to the list is gone after the apply.",
	Fix:      "Add the item to the config, or use --server-side with a definition that marks the list with x-kubernetes-list-type: map.",
	Links:    []string{applyPage + "#custom-resources-and-server-side-apply", "https://github.com/kubernetes-sigs/cluster-api/issues/6147"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Since:    "0.1",
	Run:      func(p *lint.Pass) { replacedLists(p, true) },
}
