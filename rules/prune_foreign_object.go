package rules

import (
	"strings"

	"threeway/lint"
)

var pruneForeignObject = &lint.Rule{
	ID:    "prune-foreign-object",
	Title: "--prune would delete another tool's object",
	Text:  "An object among what --prune deletes carries the mark of Helm, Argo CD, Flux or kapp.",
	Why:   "The labels and the allowlist do not tell sets apart: what another tool or team manages is deleted with the rest.",
	Fix:   "Narrow -l to a label that only this set has.",
	Bad: lint.Example{
		Applied: strings.Replace(configMap("web"), "labels:", "annotations: {meta.helm.sh/release-name: web}, labels:", 1) + "---\n" + configMap("api"),
		Config:  configMap("api"), Args: "--prune -l app=shop",
	},
	Good: lint.Example{
		Applied: strings.Replace(configMap("web"), "labels: {app: shop}", "annotations: {meta.helm.sh/release-name: web}, labels: {app: web}", 1) + "---\n" + configMap("api"),
		Config:  configMap("api"), Args: "--prune -l app=shop",
	},
	NearMiss: lint.Example{Applied: configMap("web") + "---\n" + configMap("api"), Config: configMap("api"), Args: "--prune -l app=shop"},
	Links:    []string{pruneKEP},
	Severity: lint.Error,
	Needs:    lint.Prune,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for _, c := range pruned(p) {
			if tool, mark := foreign(c.Live.Object()); tool != "" {
				p.ReportAt(c.Live.Object(), lint.Report{Path: mark, Message: "--prune would delete " + c.Live.ID().String() + ", which " + tool + " manages",
					Notes: []string{c.Why}, Fix: "narrow -l to a label that only this set has"})
			}
		}
	},
}
