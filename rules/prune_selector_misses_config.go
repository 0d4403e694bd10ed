package rules

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
)

var pruneSelectorMissesConfig = &lint.Rule{
	ID:    "prune-selector-misses-config",
	Title: "an object of the set lacks the label of -l",
	Text:  "An object in the files does not match -l of a run that prunes.",
	Why: "-l selects what kubectl applies as well: the object is neither applied nor counted as part of the set. If its live object has the " +
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
				Message: "the labels do not match -l " + p.Options.Prune.SelectorText + ": the object is not applied, and its live one is not protected from --prune",
				Fix:     "give it the label",
			})
		}
	},
}
