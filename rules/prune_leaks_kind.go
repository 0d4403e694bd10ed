package rules

import (
	"threeway/lint"
	"threeway/merge/prune"
)

var pruneLeaksKind = &lint.Rule{
	ID:       "prune-leaks-kind",
	Title:    "--prune does not delete objects without a manifest",
	Text:     "Live objects that kubectl applied and that match -l have no manifest any more, but stay, because their kind is not in the allowlist.",
	Why:      "They seem to be removed but still work: a PodDisruptionBudget blocks drains, a Role grants permissions.",
	Fix:      "Add the kind to --prune-allowlist, or delete the object by hand; or use --applyset, which records kinds and namespaces.",
	Links:    []string{pruneKEP},
	Severity: lint.Warning,
	Needs:    lint.Prune,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		fix := "add its kind to --prune-allowlist, or delete it by hand"
		if p.Plan.ApplySet != nil {
			fix = "delete it by hand: kubectl prunes only the kinds and namespaces that the parent records"
		}
		reportMissed(p, prune.NotRecorded, fix)
	},
}

// reportMissed reports the objects without a manifest that a prune does not delete.
func reportMissed(p *lint.Pass, miss prune.Miss, fix string) {
	for _, c := range p.Plan.Prune.All() {
		if c.Miss == miss && c.Manifest == nil {
			p.ReportAt(c.Live.Object(), lint.Report{Message: c.Live.ID().String() + " has no manifest any more, but --prune does not delete it: " + c.Why, Fix: fix})
		}
	}
}
