package rules

import (
	"threeway/lint"
	"threeway/merge/impact"
)

var clearedSetting = &lint.Rule{
	ID:    "cleared-setting",
	Title: "a setting leaves the manifest and is cleared",
	Text: "The manifest applied before had a setting, the new one has not, and the field has no default: the probe, the limit, the source ranges of " +
		"the load balancer are gone. An error where that stops to protect something, exposes it, loses data, or starts what was stopped; a warning " +
		"where it changes how something behaves. docs/settings.md lists the fields.",
	Why: "An apply removes what left the manifest. When a block is rewritten or a chart renders it no more, a setting goes that nobody meant to " +
		"remove, and the apply succeeds.",
	Fix: "Keep the setting in the manifest. If it is to go, suppress the finding with the reason.",
	Links: []string{declarative + "#how-apply-calculates-differences-and-merges-changes",
		"https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/",
		"https://kubernetes.io/docs/tasks/configure-pod-container/security-context/"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Effect:   impact.Clears,
	Since:    "0.9",
	Run:      func(p *lint.Pass) { reportDepartures(p, false) },
}
