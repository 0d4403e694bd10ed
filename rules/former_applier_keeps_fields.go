package rules

import (
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/applier"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
)

var formerApplierKeepsFields = &lint.Rule{
	ID:    "former-applier-keeps-fields",
	Title: "a previous applier still owns fields that no manifest sets",
	Text: "Another applier applied the live object before: kubectl, Helm, Argo CD or Flux. Its field manager owns fields that the manifest does not " +
		"set, and the applier that is rehearsed does not take that manager over.",
	Why: "Every applier removes only what it has applied itself, so no later run removes these fields, and no diff shows them.",
	Fix: "Add the fields to the manifest, or remove them by hand, once. Flux takes over a manager that --override-manager names, and " +
		"removes what no manifest sets. threeway handover --to shows the whole move.",
	Links: []string{
		applyPage + "#managers",
		"https://github.com/fluxcd/pkg/pull/209",
	},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ManagedFields | lint.OtherApplier,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			left, names := leftBehind(p, o)
			if left == nil {
				continue
			}
			program := string(o.By.Claim().Program)
			r := lint.Report{
				Path: left[0], LivePath: left[0],
				Message: names + " applied the object before and keeps fields that the manifest does not set, and that no later " + o.By.Run() + " of " + program + " removes: " + named(left),
				Fix:     "add them to " + o.Where() + ", or remove them by hand",
			}
			if o.By.Claim().Program == applier.Flux {
				r.Fix += "; or let Flux take them over with --override-manager"
			}
			p.Report(o, r)
		}
	},
}

// leftBehind are the fields of former appliers that no later apply removes, and the
// managers that keep them.
func leftBehind(p *lint.Pass, o *lint.Object) (left []fieldpath.Path, names string) {
	if by := o.By.Claim(); by.Program == applier.Kubectl || o.Live == nil || !owners.Recorded(o.Before) {
		return nil, ""
	}
	var from []applier.Claim
	for _, c := range explain.Former(claims(p, o.Live), o.Live) {
		if !ours(o, c) {
			from = append(from, c)
		}
	}
	var managers []string
	for _, f := range explain.LeftBehind(o.Outcome, from, o.By.Claim().Manager()) {
		left = append(left, f.Path)
		for _, w := range f.Owners {
			managers = append(managers, w.Manager)
		}
	}
	return outermostAbsent(o, o.Outcome.Target(), left), strings.Join(slices.Compact(slices.Sorted(slices.Values(managers))), ", ")
}
