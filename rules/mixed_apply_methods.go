package rules

import (
	"slices"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
)

var mixedApplyMethods = &lint.Rule{
	ID:    "mixed-apply-methods",
	Title: "the object is applied client-side and server-side",
	Text:  "managedFields has an entry of a client-side apply and one of a server-side apply that own the same field.",
	Why:   "Each method keeps its own record: a field that leaves the manifest is removed by one and kept by the other, which still owns it.",
	Fix: "Use one method. To move to server-side apply, apply once with --server-side under kubectl's own manager name, which takes over the " +
		"old entry.",
	Links:    []string{issue + "99003", issue + "112905", applyPage + "#migration-between-client-side-and-server-side-apply"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ManagedFields,
	Decides:  func(*lint.Object) bool { return false }, // it is about later applies
	Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			applier, field := bothApply(o)
			// kubectl's own move to server-side apply takes the old entry over.
			if applier == "" || o.ServerSide != nil && applier == o.ServerSide.Manager {
				continue
			}
			p.Report(o, lint.Report{
				Path: field, LivePath: field, Live: "owned by kubectl-client-side-apply and " + applier + " (server-side)",
				Message: field.String() + " is applied client-side by kubectl and server-side by " + applier + "; if one of the two no longer sets it, the other keeps it",
				Fix:     "use one method for the object",
			})
		}
	},
}

// bothApply finds a field that a client-side and a server-side apply own, and
// who applies it server-side. A controller that applies other fields, or the
// rules of an aggregated ClusterRole, is no second method.
func bothApply(o *lint.Object) (applier string, field fieldpath.Path) {
	client := slices.IndexFunc(o.Owners(), func(w owners.Entry) bool {
		return w.Manager == "kubectl-client-side-apply" && w.Operation == "Update" && w.Subresource == ""
	})
	if client < 0 {
		return "", nil
	}
	for _, w := range o.Owners() {
		if w.Operation != "Apply" || w.Subresource != "" {
			continue
		}
		for _, f := range w.Leaves() {
			if slices.ContainsFunc(o.Owners()[client].Leaves(), f.Equal) && !systemMetadata(f) && !filledIn(o, f) {
				return w.Manager, f
			}
		}
	}
	return "", nil
}
