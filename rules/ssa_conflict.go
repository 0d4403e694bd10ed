package rules

import (
	"strings"

	"threeway/lint"
	"threeway/merge/fault"
)

var ssaConflict = &lint.Rule{
	ID:    "ssa-conflict",
	Title: "server-side apply conflicts with another field manager",
	Text: "The manifest sets a field to another value than the manager that owns it. Objects that conflict only with kubectl's own client-side " +
		"apply are one finding.",
	Why: "The server rejects the whole object. --force-conflicts takes the field over: an autoscaler or a certificate injector that owns it " +
		"writes it again, and each undoes the other.",
	Fix:      "Remove the field from the manifest to leave it to its manager; take it over with --force-conflicts only where the manager is gone.",
	Links:    []string{applyPage + "#conflicts"},
	Severity: lint.Error,
	Needs:    lint.ServerSide,
	Since:    "0.1",
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		conflicts := o.Rejection.With(fault.OtherManager)
		if len(conflicts) == 0 {
			return nil
		}
		first := conflicts[0]
		old, _ := first.Path.Find(o.Before)
		config, _ := first.Path.Find(o.Config.Tree)
		live, want := lint.Contrast(old, config)
		r := &lint.Report{
			Path:     first.Path,
			Message:  first.Path.String() + " is owned by " + first.Manager + ", and the manifest changes it to " + want + "; apply is rejected",
			LivePath: first.Path, Live: live,
			Fix: conflictFix(o),
		}
		if r.Fix == takeOver {
			r.Group = "kubectl-client-side-apply"
			r.Message = "the manifest changes fields that kubectl's own client-side apply owns, such as " + first.Path.String() + "; apply is rejected"
		}
		if leftover := strategyLeftover(o); leftover != nil && first.Path.Equal(leftover[:len(leftover)-1].Child("type")) {
			r.Notes = append(r.Notes, "with --force-conflicts it is rejected too: the rollingUpdate that the server defaulted stays (strategy-change-keeps-defaults)")
			r.Fix, r.Group = strategyByHand(o, leftover[:len(leftover)-1]), ""
		}
		for _, more := range conflicts[1:] {
			line, _, _ := o.Config.Position(more.Path)
			r.Notes = append(r.Notes, lint.At(o.Config.Origin.File, line)+": "+more.Path.String()+" is owned by "+more.Manager)
		}
		return r
	},
}

// conflictFix tells the way out, which depends on who owns the fields.
func conflictFix(o *lint.Object) string {
	var byHand, byOther bool
	for _, c := range o.Rejection.With(fault.OtherManager) {
		manager, _, _ := strings.Cut(strings.TrimPrefix(c.Manager, `"`), `"`)
		byHand = byHand || imperative(manager)
		byOther = byOther || !imperative(manager) && manager != "kubectl-client-side-apply"
	}
	switch {
	case byOther:
		return "remove the field from the manifest to leave it to its owner; or take it over with --force-conflicts, if the owner does not write it again"
	case byHand:
		return "put the live value into the manifest to keep it, or reset it with --force-conflicts"
	}
	return takeOver
}

const takeOver = "apply once with --force-conflicts: the owner is kubectl's own client-side apply, and this apply takes over its fields"
