package rules

import (
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
)

var pruneSelectorMissesConfig = &lint.Rule{
	ID:       "prune-selector-misses-config",
	Title:    "a manifest does not have the label of -l",
	Text:     "An object in the manifests does not match the -l of a run that prunes. An error if --prune deletes its live object.",
	Why:      "-l also selects what kubectl applies: the object is neither applied nor protected from --prune.",
	Fix:      "Give the object the label.",
	Links:    []string{pruneKEP},
	Severity: lint.Error,
	Needs:    lint.Prune,
	Run: func(p *lint.Pass) {
		if p.Options.Prune.SelectorText == "" {
			return
		}
		planned := map[*manifest.Object]bool{}
		for _, o := range p.Set() {
			planned[o.Manifest] = true
		}
		deleted := map[manifest.Identity]bool{}
		for _, c := range p.Plan.Prune.Pruned() {
			deleted[c.Live.ID()] = true
		}
		var missed, lost []*manifest.Object
		for _, o := range p.Options.Manifests.Objects {
			if planned[o] {
				continue
			}
			if missed = append(missed, o); deleted[o.ID()] {
				lost = append(lost, o)
			}
		}
		r := lint.Report{
			Path: fieldpath.New("metadata", "labels"), Fix: "give it the labels of -l",
			Message: "the labels do not match -l " + p.Options.Prune.SelectorText + ": the object is not applied",
		}
		if selector := p.Options.Prune.SelectorText; !strings.ContainsAny(selector, "!,()") {
			r.Fix = "give it the label " + selector
		}
		if len(lost) > 0 {
			r.Message += ", and --prune deletes the live object, which has the label"
			missed = lost
		} else {
			r.Severity = lint.Warning
		}
		if len(missed) > 1 {
			r.Message += " (and " + phrase.Count(len(missed)-1, "more object") + ")"
		}
		if len(missed) > 0 {
			p.ReportAt(missed[0], r)
		}
	},
}
