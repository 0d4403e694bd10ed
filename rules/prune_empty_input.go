package rules

import (
	"slices"

	"threeway/lint"
	"threeway/merge/manifest"
)

var pruneEmptyInput = &lint.Rule{
	ID:    "prune-empty-input",
	Title: "--prune has nothing to apply",
	Text:  "The run prunes, and there is no object to apply: the files are empty, or none matches -l. Reported at what -f names.",
	Why: "kubectl refuses to run, and nothing is pruned. Often this is a mistake: a template rendered nothing, or -l has a typo. With a " +
		"single object in the input, all other objects would be deleted.",
	Fix:      "Find out why there is no object. To delete all objects on purpose, use kubectl delete with their label.",
	Links:    []string{issue + "40637", pruneKEP},
	Severity: lint.Error,
	Needs:    lint.Prune,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		unread := slices.ContainsFunc(p.Plan.Problems, func(x manifest.Problem) bool { return x.Severity == manifest.Error })
		if len(p.Set()) > 0 || unread {
			return
		}
		r := lint.Report{
			Message: "the input has no objects: kubectl --prune refuses to run",
			Fix:     "find out why there is no object; to delete all objects on purpose, use kubectl delete",
		}
		if n := len(p.Options.Manifests.Objects); n > 0 {
			r.Message = "no object of the input matches -l " + p.Options.Prune.SelectorText + ": kubectl --prune refuses to run"
			r.Fix = "correct -l, or give the objects the label"
		}
		p.ReportRun(r)
	},
}
