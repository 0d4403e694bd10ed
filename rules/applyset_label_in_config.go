package rules

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/prune"
	"threeway/merge/text/edit"
)

var applysetLabelInConfig = &lint.Rule{
	ID:    "applyset-label-in-config",
	Title: "a manifest has the label of an ApplySet",
	Text: "The manifest sets " + prune.PartOfLabel + ", as exported objects do. An error with --applyset, because kubectl " +
		"then refuses to run; otherwise a warning.",
	Why: "kubectl --applyset sets this label itself and refuses the whole run if a manifest has it. Without --applyset the object becomes a " +
		"member of the ApplySet with that ID, and the next prune of that ApplySet deletes it.",
	Fix:      "Remove the label.",
	Repair:   "Removes the label.",
	Links:    []string{pruneKEP, declarative + "#alternative-kubectl-apply-f-directory-prune"},
	Severity: lint.Warning,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		path := fieldpath.New("metadata", "labels", prune.PartOfLabel)
		for _, r := range p.Plan.Refused {
			if r.Cause == prune.LabelInInput {
				p.ReportAt(r.Object, lint.Report{Path: path, Severity: lint.Error, Message: "the manifest has the label that --applyset sets itself; kubectl refuses to run", Fix: "remove the label"})
			}
		}
		if p.Plan.ApplySet != nil {
			return // the others have it because the rehearsal has set it
		}
		for o := range p.Objects() {
			if has(o.Manifest.Tree, path) {
				p.Report(o, lint.Report{Path: path, Message: "the label makes the object a member of an ApplySet; kubectl --applyset rejects it, and a prune of that ApplySet deletes it", Fix: "remove the label", Edits: []edit.Edit{edit.Remove(path)}})
			}
		}
	},
}
