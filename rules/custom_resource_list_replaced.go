package rules

import (
	"threeway/lint"
)

var customResourceListReplaced = &lint.Rule{
	ID:    "custom-resource-list-replaced",
	Title: "a custom resource's list loses live items",
	Text: "kubectl does not know how the lists of custom resources merge, so a list in the manifest replaces the live one. The live list has " +
		"items that are neither in the manifest nor in last-applied.",
	Why:      "Apply removes items that a controller or a person added to the list.",
	Fix:      "Add the item to the manifest, or use --server-side with a definition that marks the list with x-kubernetes-list-type: map.",
	Links:    []string{applyPage + "#custom-resources-and-server-side-apply", "https://github.com/kubernetes-sigs/cluster-api/issues/6147"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Since:    "0.1",
	Run:      func(p *lint.Pass) { replacedLists(p, true) },
}
