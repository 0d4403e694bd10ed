package rules

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var selectorNotSinglePurpose = &lint.Rule{
	ID:    "selector-not-single-purpose",
	Title: "the selector has no label of its own",
	Text:  "The selector of a workload has several labels, instead of one that is used for the selector only and means nothing else.",
	Why: "Labels with a meaning change with it, and a selector cannot. The documentation recommends one immutable label, used by the " +
		"controller's selector only.",
	Fix:      "Use a single label such as controller-selector: apps/v1/deployment/NAME when the workload is made anew.",
	Links:    []string{declarative + "#defining-controller-selectors-and-podtemplate-labels"},
	Severity: lint.Info,
	OptIn:    true,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			labels := tree.Map(o.Config.Tree, "spec", "selector", "matchLabels")
			if _, ok := workload(o); ok && len(labels) > 1 {
				p.Report(o, lint.Report{
					Path:    fieldpath.New("spec", "selector", "matchLabels"),
					Message: "the selector has " + lint.Labels(labels) + "; a single label of its own would never have to change",
					Fix:     "select by one label that means nothing else, when the workload is made anew",
				})
			}
		}
	},
}
