package rules

import (
	"strings"

	"threeway/lint"
	"threeway/merge/by/helm"
	"threeway/merge/fault"
	"threeway/merge/text/edit"
	"threeway/merge/text/phrase"
)

var ssaConflict = &lint.Rule{
	ID:    "ssa-conflict",
	Title: "server-side apply conflicts with another field manager",
	Text: "The manifest changes a field that another manager owns. Objects that conflict only with kubectl's own client-side " +
		"apply are one finding.",
	Why: "The server rejects the whole object. With --force-conflicts, an autoscaler or a certificate injector sets the field again, and " +
		"the two undo each other's changes.",
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
		}
		r.Fix, r.Suggested = conflictFix(o)
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

// conflictFix tells the way out, which depends on who owns the fields, and the edits of the
// manifest that are it: without the fields, or with their live values.
func conflictFix(o *lint.Object) (fix string, edits []edit.Edit) {
	var byHand, byOther, byDesign bool
	var hand, rest []string
	conflicts := o.Rejection.With(fault.OtherManager)
	for _, c := range conflicts {
		manager, role, _ := strings.Cut(strings.TrimPrefix(c.Manager, `"`), `"`)
		changedByHand := imperative(manager) || manager == "kubectl" && strings.Contains(role, `subresource "scale"`)
		byDesign = byDesign || byController(o, c.Path)
		live, ok := o.Find(c.Path, o.Before)
		switch edited := edit.Set(c.Path, live); {
		case ok && manager == "kubectl-client-side-apply":
			edits = append(edits, edited)
		case ok && changedByHand:
			byHand, hand, edits = true, append(hand, c.Path.String()), append(edits, edited)
		default:
			byOther, rest, edits = true, append(rest, c.Path.String()), append(edits, edit.Remove(c.Path))
		}
	}
	switch {
	case byHand && byOther:
		return "set " + phrase.Some(hand) + " to the live values to keep what was changed by hand, and remove " + phrase.Some(rest) + " to leave it to its owner; or reset all with --force-conflicts", edits
	case byDesign:
		fix = "remove the field from the manifest: a controller writes it"
	case byOther:
		fix = "remove the field from the manifest to leave it to its owner; or take it over with --force-conflicts if the owner does not set it again"
	case byHand:
		if len(conflicts) > 1 {
			return "to keep the live values, set them in " + o.Where() + "; or reset them with --force-conflicts", edits
		}
		return toKeep(o, conflicts[0].Path) + "; or reset it with --force-conflicts", edits
	default:
		return takeOver, nil
	}
	edits = nil
	for _, c := range conflicts {
		edits = append(edits, edit.Remove(c.Path))
	}
	return fix, edits
}

const takeOver = "apply once with --force-conflicts: the owner is kubectl's own client-side apply, and this apply takes over its fields"
