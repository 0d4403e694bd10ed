package rules

import (
	"threeway/lint"
	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var missingLastApplied = &lint.Rule{
	ID:    "missing-last-applied",
	Title: "the live object has no last-applied annotation",
	Text:  "The object exists, but was not made by kubectl apply: it has no record of what was applied before.",
	Why: "A client-side apply removes a field only if the record has it. Whatever the object has that the config does not stays, this once " +
		"without a trace; kubectl warns and writes the annotation for the next time.",
	Fix:      "Compare the live object with the config before the first apply: threeway diff -o fields lists what is kept. Or record it first, with kubectl apply set-last-applied --create-annotation.",
	Bad:      lint.Example{Live: withoutLastApplied, Config: deployment("")},
	Good:     lint.Example{Applied: deployment(""), Config: deployment("")},
	NearMiss: lint.Example{Config: deployment("")},
	Links:    []string{declarative + "#how-to-create-objects", issue + "123843"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ClientSide,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			if tree.Has(o.Before, "metadata", "annotations", merge.LastAppliedKey) || o.LastApplied() != nil || o.Before == nil {
				continue
			}
			r := lint.Report{
				LivePath: fieldpath.New("metadata"), Live: "no " + merge.LastAppliedKey,
				Message: "the live object was not made by kubectl apply: nothing that the config lacks is removed from it",
				Fix:     "look at what is kept (threeway diff -o fields), then apply, which records it for the next time",
			}
			if w := applier(o); w != "" {
				r.Message = w + " applied the live object server-side: a client-side apply removes nothing that the config lacks"
				r.Fix = "apply it with --server-side, as before"
			}
			p.Report(o, r)
		}
	},
}

// applier is who applied the live object server-side, or "".
func applier(o *lint.Object) string {
	for _, w := range o.Owners() {
		if w.Operation == "Apply" && w.Subresource == "" {
			return w.Manager
		}
	}
	return ""
}
