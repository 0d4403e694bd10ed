package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/by/argocd"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
)

var ignoredFieldOverwritten = &lint.Rule{
	ID:    "ignored-field-overwritten",
	Title: "a sync of Argo CD overwrites a field that it ignores",
	Text: "The Application, or argocd-cm, has the field in ignoreDifferences, the manifest sets it, and a sync changes the live value: the " +
		"sync option RespectIgnoreDifferences=true is not set.",
	Why: "ignoreDifferences only hides a field: the object counts as Synced. Any sync writes the whole manifest and resets the replicas " +
		"of an autoscaler, or a value of a controller, and Argo CD shows it neither before nor after.",
	Fix: "Add RespectIgnoreDifferences=true to the syncOptions of the Application, or remove the field from the manifest.",
	Links: []string{
		"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#respect-ignore-difference-configs",
		"https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/",
	},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.OtherApplier,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			for _, c := range o.Changes() {
				if !overwrittenThoughIgnored(o, c.Path) || c.Reason == explain.Kept || c.Reason == explain.OwnedBy || !o.Has(c.Path, o.Outcome.Target()) {
					continue
				}
				path, from, to := narrowed(c.Path, c.Old, c.New)
				live, now := lint.Contrast(from, to)
				if !c.InOld {
					live = "unset"
				}
				p.Report(o, lint.Report{
					Path: path, LivePath: path, Live: live,
					Message: fmt.Sprintf("%s ignores %s and does not show its change, but a sync resets it from %s to %s", o.By.Claim().By(), path, live, now),
					Fix:     "add RespectIgnoreDifferences=true to the sync options, or remove the field from the manifest",
				})
			}
		}
	},
}

// overwrittenThoughIgnored reports whether Argo CD applies an object and does not compare
// the field of a change.
func overwrittenThoughIgnored(o *lint.Object, p fieldpath.Path) bool {
	app, by := o.By.(*argocd.Application)
	return by && o.Live != nil && o.Result != nil && app.Hides(o.Outcome, p)
}
