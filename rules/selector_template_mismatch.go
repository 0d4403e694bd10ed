package rules

import (
	"slices"

	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var selectorTemplateMismatch = &lint.Rule{
	ID:       "selector-template-mismatch",
	Title:    "the selector does not match the workload's own pods",
	Text:     "The labels of the pod template do not satisfy the workload's selector.",
	Why:      "The controller would never find its own pods and create new ones without end, so the API server rejects it.",
	Fix:      "Give the pod template every label of the selector.",
	Links:    []string{issue + "26202"},
	Severity: lint.Error,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if f.Code != fault.SelectorMismatch {
			return nil
		}
		selector, _ := fieldpath.New("spec", "selector").Find(o.Merged())
		fix := "give the template the labels of the selector: " + lint.Value(selector)
		edits := slices.DeleteFunc(liveSelector(o, selector), func(e edit.Edit) bool { return e.Path[1].Field == "selector" })
		if live, stored := o.Find(fieldpath.New("spec", "selector"), o.Before); stored && !tree.Equal(live, selector) {
			edits, fix = liveSelector(o, live), "set the selector back to "+lint.Value(live) // which cannot be changed
		}
		return &lint.Report{
			Path:    f.Path,
			Message: "the pod template's labels do not match spec.selector " + lint.Value(selector) + "; apply is rejected",
			Fix:     fix, Suggested: edits, Likely: true,
		}
	},
}
