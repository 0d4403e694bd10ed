package rules

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
)

var pruneSelectorMissesConfig = &lint.Rule{
	ID:    "prune-selector-misses-config",
	Title: "a manifest does not have the label of -l",
	Text:  "An object in the manifests does not match the -l of a run that prunes.",
	Why: "-l also selects what kubectl applies: the object is not applied, and not protected from --prune. If its live object has the " +
		"label, --prune deletes it.",
	Fix:      "Give the object the label.",
	Links:    []string{pruneKEP},
	Severity: lint.Error,
	Needs:    lint.Prune,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		if p.Options.Prune.SelectorText == "" {
			return
		}
		planned := map[*manifest.Object]bool{}
		for _, o := range p.Set() {
			planned[o.Config] = true
		}
		for _, o := range p.Options.Config.Objects {
			if planned[o] {
				continue
			}
			p.ReportAt(o, lint.Report{
				Path:    fieldpath.New("metadata", "labels"),
				Message: "the labels do not match -l " + p.Options.Prune.SelectorText + ": the object is not applied, and the live object is not protected from --prune",
				Fix:     "give it the label",
			})
		}
	},
}
