package rules

import (
	"threeway/lint"
	"threeway/merge/impact"
)

var clearedSetting = &lint.Rule{
	ID:    "cleared-setting",
	Title: "a removed setting is cleared",
	Text: "The manifest no longer has a setting that it had at the last apply, and the field has no default: apply clears a probe, a limit " +
		"or the source ranges of a load balancer. An error if that exposes something, loses data, or starts something that was stopped; " +
		"a warning if it changes behavior.",
	Why: "When a block is rewritten, or a chart no longer renders it, a setting can disappear by accident.",
	Fix: "Keep the setting in the manifest. To remove it, suppress the finding with the reason.",
	Links: []string{declarative + "#how-apply-calculates-differences-and-merges-changes",
		"https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/",
		"https://kubernetes.io/docs/tasks/configure-pod-container/security-context/"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Effect:   impact.Clears,
	Run:      func(p *lint.Pass) { reportDepartures(p, false) },
}
