package rules

import (
	"threeway/lint"
	"threeway/merge/impact"
)

var fallsBackToDefault = &lint.Rule{
	ID:    "falls-back-to-default",
	Title: "a setting leaves the manifest and is reset to its default",
	Text: "The manifest applied before had a setting, the new one has not, and the API server resets the field to its default: a CronJob that was " +
		"suspended runs, a Deployment with the strategy Recreate rolls. An error where that stops to protect something, exposes it, loses data, or " +
		"starts what was stopped; a warning where it changes how something behaves. docs/settings.md lists the fields.",
	Why: "An apply removes what left the manifest, and the default that the server then sets is nowhere in the files: a diff of the manifests shows " +
		"one line less.",
	Fix: "Keep the setting in the manifest. If the default is what you want, write it down: then everybody sees the change.",
	Links: []string{declarative + "#default-field-values", declarative + "#how-apply-calculates-differences-and-merges-changes",
		"https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#schedule-suspension"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Effect:   impact.FallsBack,
	Since:    "0.9",
	Run:      func(p *lint.Pass) { reportDepartures(p, true) },
}
