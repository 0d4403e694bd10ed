package rules

import (
	"threeway/lint"
	"threeway/merge/prune"
)

var pruneClusterScoped = &lint.Rule{
	ID:       "prune-cluster-scoped",
	Title:    "--prune would delete a Namespace or PersistentVolume",
	Text:     "--prune would delete a Namespace or PersistentVolume. Both kinds are in kubectl's default allowlist, and -n does not limit them.",
	Why:      "Deleting a Namespace also deletes every object in it, including those of other tools and teams.",
	Fix:      "List the kinds to prune with --prune-allowlist, without these two.",
	Links:    []string{pruneKEP, issue + "108161", issue + "110905", issue + "74414"},
	Severity: lint.Error,
	Needs:    lint.Prune,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for _, c := range pruned(p) {
			if kind := c.Live.Kind.GroupKind(); kind == "Namespace" || kind == "PersistentVolume" {
				what := "every object in it is deleted, too, including those of other tools"
				if kind == "PersistentVolume" {
					what = "the claim that is bound to it loses its volume"
				}
				reportPruned(p, c, what, "list the kinds to prune with --prune-allowlist, without "+kind)
			}
		}
	},
}

func reportPruned(p *lint.Pass, c prune.Candidate, what, fix string) {
	r := lint.Report{Message: "--prune would delete " + c.Live.ID().String() + ": " + what, Notes: []string{c.Why}, Fix: fix}
	for _, t := range c.Takes {
		r.Notes = append(r.Notes, "also deletes "+t.Live.ID().String()+": "+t.Why)
	}
	p.ReportAt(c.Live.Object(), r)
}
