package rules

import (
	"strings"

	"threeway/lint"
	"threeway/merge"
	"threeway/merge/fieldpath"
)

var mixedApplyMethods = &lint.Rule{
	ID:    "mixed-apply-methods",
	Title: "the object is applied client-side and server-side",
	Text:  "managedFields has an entry of a client-side apply and one of a server-side apply that own fields of the same object.",
	Why: "The two keep separate books. A field that leaves the config is removed by one and kept by the other, which still owns it; the " +
		"annotation of the client-side apply goes stale.",
	Fix:      "Use one method. To move to server-side apply, apply once with --server-side under kubectl's own manager name, which takes the old entry over.",
	Bad:      lint.Example{Live: strings.Replace(scaledByHand, "manager: kube-controller-manager-hpa", "manager: kubectl-client-side-apply", 1), Config: deployment("")},
	Good:     lint.Example{Live: scaledByHand, Config: deployment(""), Args: "--server-side"},
	NearMiss: lint.Example{Live: scaledByHand, Config: deployment("")},
	Links:    []string{issue + "99003", issue + "112905", applyPage + "#migration-between-client-side-and-server-side-apply"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ManagedFields,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			applier, client := "", false
			for _, w := range o.Owners() {
				switch {
				case w.Subresource != "":
				case w.Operation == "Apply":
					applier = w.Manager
				case w.Manager == "kubectl-client-side-apply":
					client = ownsMore(w)
				}
			}
			// kubectl's own move to server-side apply takes the old entry over.
			if applier == "" || !client || p.Options.ServerSide != nil && applier == p.Options.ServerSide.Manager {
				continue
			}
			p.Report(o, lint.Report{
				LivePath: fieldpath.New("metadata", "managedFields"), Live: "kubectl-client-side-apply and " + applier + " (server-side)",
				Message: "the object is applied client-side by kubectl and server-side by " + applier + "; what one removes the other keeps",
				Fix:     "use one method for the object",
			})
		}
	},
}

// ownsMore reports whether an owner has more than the last-applied annotation,
// which other commands write as well.
func ownsMore(w lint.Owner) bool {
	for _, f := range w.Fields() {
		if !f.Equal(fieldpath.New("metadata", "annotations", merge.LastAppliedKey)) {
			return true
		}
	}
	return false
}
