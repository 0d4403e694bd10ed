package rules

import (
	"threeway/lint"
	"threeway/merge/prune"
)

var pruneClusterScoped = &lint.Rule{
	ID:       "prune-cluster-scoped",
	Title:    "--prune would delete a Namespace or PersistentVolume",
	Text:     "A Namespace or PersistentVolume is among what --prune deletes. Both are in kubectl's default allowlist, and -n does not limit them.",
	Why:      "With a Namespace goes everything in it, whoever made it.",
	Fix:      "Name the kinds to prune with --prune-allowlist, without these two.",
	Links:    []string{pruneKEP, issue + "108161", issue + "110905", issue + "74414"},
	Severity: lint.Error,
	Needs:    lint.Prune,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for _, c := range pruned(p) {
			if kind := c.Live.Kind.GroupKind(); kind == "Namespace" || kind == "PersistentVolume" {
				what := "everything in it goes too, whoever made it"
				if kind == "PersistentVolume" {
					what = "the claim that is bound to it loses its volume"
				}
				reportPruned(p, c, what, "name the kinds to prune with --prune-allowlist, without "+kind)
			}
		}
	},
}

func reportPruned(p *lint.Pass, c prune.Candidate, what, fix string) {
	r := lint.Report{Message: "--prune would delete " + c.Live.ID().String() + ": " + what, Notes: []string{c.Why}, Fix: fix}
	for _, t := range c.Takes {
		r.Notes = append(r.Notes, "takes "+t.Live.ID().String()+": "+t.Why)
	}
	p.ReportAt(c.Live.Object(), r)
}
