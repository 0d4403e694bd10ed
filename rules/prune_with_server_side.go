package rules

import (
	"threeway/lint"
	"threeway/merge/owners"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
)

var pruneWithServerSide = &lint.Rule{
	ID:    "prune-with-server-side",
	Title: "--prune by label does not see server-side applies",
	Text: "The run combines --prune by kind and label with --server-side, which kubectl rejects (error). Or the run is client-side, and an " +
		"object without a manifest was applied with kubectl apply --server-side: it stays (warning).",
	Why: "A prune by kind and label deletes only objects with the last-applied annotation. A server-side apply does not write it, so the objects it " +
		"creates are never pruned.",
	Fix:      "Prune with --applyset, which uses its own label and works with --server-side.",
	Links:    []string{pruneKEP, issue + "110893"},
	Severity: lint.Error,
	Needs:    lint.Prune,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		if refused(p, prune.WithSSA) != nil {
			p.ReportRun(lint.Report{
				Message: "--prune by kind and label does not work with --server-side: kubectl refuses to run",
				Fix:     "use --prune --applyset=NAME -n NAMESPACE, or apply client-side",
			})
		}
		for _, c := range p.Plan.Prune.All() {
			if c.Miss == prune.NeverApplied && c.Manifest == nil && owners.Applies(c.Live.Object().Tree, rehearsal.DefaultManager) {
				p.ReportAt(c.Live.Object(), lint.Report{
					Severity: lint.Warning,
					Message:  c.Live.ID().String() + " has no manifest any more, but --prune does not delete it: kubectl applied it server-side",
					Fix:      "delete it by hand, and prune with --applyset from now on",
				})
			}
		}
	},
}
