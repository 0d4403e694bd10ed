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
	Text: "The object exists, but was not made by a client-side kubectl apply: it has no record of what was applied before. Info where the " +
		"live object has nothing that the config lacks, so that nothing is missed.",
	Why: "A client-side apply removes a field only if the record has it. Whatever the object has that the config does not stays, this once " +
		"without a trace; kubectl warns and writes the annotation for the next time.",
	Fix:      "Compare the live object with the config before the first apply: threeway diff -o fields lists what is kept. Or record it first, with kubectl apply set-last-applied --create-annotation.",
	Links:    []string{declarative + "#how-to-create-objects", issue + "123843"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ClientSide,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			if tree.Has(o.Before, "metadata", "annotations", merge.LastAppliedKey) || o.LastApplied() != nil || o.Before == nil {
				continue
			}
			r := lint.Report{
				LivePath: fieldpath.New("metadata"), Live: "no " + merge.LastAppliedKey,
				Message:  "the live object was not made by kubectl apply; it has nothing that the config lacks, and this apply starts the record",
				Fix:      "none is needed: the apply warns, and adds the annotation",
				Severity: lint.Info,
			}
			if kept := outside(o.Config.Tree, liveOnly(o)); len(kept) > 0 {
				r.Severity = lint.Unset
				r.Message = "the live object was not made by kubectl apply, so the apply removes nothing that the config lacks: " + listed(kept) + " kept"
				r.LivePath, r.Live = kept[0], ""
				r.Fix = "take what is kept over into the config, or remove it by hand: the next applies will not"
			}
			if w := applier(o); w != "" {
				r.Severity = lint.Unset
				r.Message = w + " applied the live object server-side: a client-side apply removes nothing that the config lacks, and mixes two methods"
				r.Fix = "apply with --server-side, as before"
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
