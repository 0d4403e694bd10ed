package rules

import (
	"strings"

	"threeway/lint"
	"threeway/merge/by/helm"
	"threeway/merge/fault"
	"threeway/merge/text/edit"
)

var ssaConflict = &lint.Rule{
	ID:    "ssa-conflict",
	Title: "server-side apply conflicts with another field manager",
	Text: "The manifest changes a field that another manager owns. Objects that conflict only with kubectl's own client-side " +
		"apply are one finding.",
	Why: "The server rejects the whole object. --force-conflicts takes the field over, but an autoscaler or a certificate injector sets " +
		"it again, and the two undo each other's changes.",
	Fix:      "Remove the field from the manifest to leave it to its manager; use --force-conflicts only if the manager no longer exists.",
	Links:    []string{applyPage + "#conflicts"},
	Severity: lint.Error,
	Needs:    lint.ServerSide,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if f.Code != fault.OtherManager {
			return nil
		}
		conflicts := o.Rejection.With(fault.OtherManager)
		first := conflicts[0]
		old, _ := o.Find(first.Path, o.Before)
		config, _ := o.Find(first.Path, o.Manifest.Tree)
		live, want := lint.Contrast(old, config)
		r := &lint.Report{
			Path:     first.Path,
			Message:  first.Path.String() + " is owned by " + first.Manager + ", and the manifest changes it to " + want + "; apply is rejected",
			LivePath: first.Path, Live: live,
			Fix: conflictFix(o),
		}
		r.Suggested = conflictEdits(o, r.Fix)
		if r.Fix == takeOver {
			r.Group = "kubectl-client-side-apply"
			r.Message = "the manifest changes fields that kubectl's own client-side apply owns, such as " + first.Path.String() + "; apply is rejected"
		}
		if leftover := strategyLeftover(o); leftover != nil {
			r.Notes = append(r.Notes, "with --force-conflicts it is rejected, too: the rollingUpdate that the server defaulted stays (live-field-rejected)")
			if strategy := leftover[:len(leftover)-1]; first.Path.Equal(strategy.Child("type")) {
				r.Fix, r.Ways, r.Group = "", []lint.Way{byHand(o, leftover)}, ""
			}
		}
		if rel, is := o.By.(*helm.Release); is && rel.TakeOver && rel.Original != nil {
			r.Notes = append(r.Notes, rel.Claim().By()+" was applied client-side so far, which resets such a field without a conflict; --server-side=false still does")
		}
		for _, more := range conflicts[1:] {
			r.Notes = append(r.Notes, o.Manifest.Place(more.Path).String()+": "+more.Path.String()+" is owned by "+more.Manager)
		}
		return r
	},
}

// conflictFix tells the way out, which depends on who owns the fields.
func conflictFix(o *lint.Object) string {
	var byHand, byOther, byDesign bool
	for _, c := range o.Rejection.With(fault.OtherManager) {
		manager, _, _ := strings.Cut(strings.TrimPrefix(c.Manager, `"`), `"`)
		byDesign = byDesign || byController(o, c.Path)
		byHand = byHand || imperative(manager)
		byOther = byOther || !imperative(manager) && manager != "kubectl-client-side-apply"
	}
	switch {
	case byDesign:
		return "remove the field from the manifest: a controller writes it"
	case byOther:
		return "remove the field from the manifest to leave it to its owner; or take it over with --force-conflicts if the owner does not set it again"
	case byHand:
		return "to keep the live value, set it in the manifest; or reset it with --force-conflicts"
	}
	return takeOver
}

// conflictEdits are those of the manifest that a fix describes: without the fields,
// or with their live values.
func conflictEdits(o *lint.Object, fix string) (edits []edit.Edit) {
	if fix == takeOver {
		return nil
	}
	for _, c := range o.Rejection.With(fault.OtherManager) {
		if live, ok := o.Find(c.Path, o.Before); ok && strings.HasPrefix(fix, "put ") {
			edits = append(edits, edit.Set(c.Path, live))
		} else {
			edits = append(edits, edit.Remove(c.Path))
		}
	}
	return edits
}

const takeOver = "apply once with --force-conflicts: the owner is kubectl's own client-side apply, and this apply takes over its fields"
