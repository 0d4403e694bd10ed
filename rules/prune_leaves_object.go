package rules

import (
	"threeway/lint"
	"threeway/merge/owners"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
)

var pruneLeavesObject = &lint.Rule{
	ID:     "prune-leaves-object",
	Former: []string{"prune-leaks-kind", "prune-namespace-not-visited"},
	Title:  "--prune does not delete an object without a manifest",
	Text: "A live object no longer has a manifest, but stays: its kind is not in the allowlist, no manifest has an object in its namespace, or kubectl " +
		"applied it server-side, without last-applied.",
	Why:      "It seems to be gone but still works: a PodDisruptionBudget blocks drains, a Role grants permissions.",
	Fix:      "Delete it by hand, or add its kind to --prune-allowlist; --applyset records kinds and namespaces, and works with --server-side.",
	Links:    []string{pruneKEP, "https://github.com/kubernetes/kubectl/issues/555", issue + "85357", issue + "110893"},
	Severity: lint.Warning,
	Needs:    lint.Prune,
	Run: func(p *lint.Pass) {
		if p.Plan.Prune == nil {
			return
		}
		for _, c := range p.Plan.Prune.Candidates {
			if c.Manifest != nil {
				continue
			}
			r := lint.Report{Message: c.Live.ID().String() + " no longer has a manifest, but --prune does not delete it: " + c.Why}
			switch {
			case c.Miss == prune.NotVisited:
				r.Fix = "delete it by hand"
			case c.Miss == prune.NotRecorded && p.Plan.ApplySet != nil:
				r.Fix = "delete it by hand: kubectl prunes only the kinds and namespaces that the parent records"
			case c.Miss == prune.NotRecorded:
				r.Fix = "add its kind to --prune-allowlist, or delete it by hand"
			case c.Miss == prune.NeverApplied && owners.Applies(c.Live.Object().Tree, rehearsal.DefaultManager):
				r.Message = c.Live.ID().String() + " no longer has a manifest, but --prune does not delete it: kubectl applied it server-side"
				r.Fix = "delete it by hand, and prune with --applyset from now on"
			default:
				continue
			}
			p.ReportAt(c.Live.Object(), r)
		}
	},
}
