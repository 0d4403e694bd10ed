package rules

import (
	"threeway/lint"
	"threeway/merge/impact"
)

var fallsBackToDefault = &lint.Rule{
	ID:    "falls-back-to-default",
	Title: "a removed setting is reset to its default",
	Text: "The manifest no longer has a setting that it had at the last apply, and the API server resets the field to its default: a " +
		"suspended CronJob runs, a Deployment with the strategy Recreate changes to RollingUpdate. The severity is that of " +
		"cleared-setting.",
	Why: "A diff of the manifests only shows that a line is gone.",
	Fix: "Keep the setting, or write the default into the manifest.",
	Links: []string{declarative + "#default-field-values", declarative + "#how-apply-calculates-differences-and-merges-changes",
		"https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#schedule-suspension"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Effect:   impact.FallsBack,
	Run:      func(p *lint.Pass) { reportDepartures(p, true) },
}
