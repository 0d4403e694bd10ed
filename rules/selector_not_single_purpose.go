package rules

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var selectorNotSinglePurpose = &lint.Rule{
	ID:    "selector-not-single-purpose",
	Title: "the selector has several labels",
	Text:  "The selector of a workload has several labels instead of one that is used only for the selector.",
	Why: "Labels with a meaning change over time, and a selector cannot. The documentation recommends one immutable label for the " +
		"selector.",
	// The documentation's own example has slashes, which no server takes in a value.
	Fix:      "Use a single label such as controller-selector: deployment-NAME when the workload is next created.",
	Links:    []string{declarative + "#defining-controller-selectors-and-podtemplate-labels"},
	Severity: lint.Info,
	OptIn:    true,
	Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			labels := tree.Map(o.Manifest.Tree, "spec", "selector", "matchLabels")
			if _, ok := workload(o); ok && len(labels) > 1 {
				p.Report(o, lint.Report{
					Path:    fieldpath.New("spec", "selector", "matchLabels"),
					Message: "the selector has " + lint.Labels(labels) + "; a single label that only the selector uses never has to change",
					Fix:     "when the workload is next created, select by one label that is used for nothing else",
				})
			}
		}
	},
}
