package rules

import (
	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var emptyClaimTemplates = &lint.Rule{
	ID:    "empty-claim-templates",
	Title: "volumeClaimTemplates is empty",
	Text: "A StatefulSet has volumeClaimTemplates: [] or null. If the live object has templates, apply is rejected; otherwise the empty " +
		"list is harmless (info).",
	Why: "Claim templates cannot be changed, and an empty list removes them, so the server rejects the whole object. Without templates " +
		"the server drops the list, and every client-side apply sends it again.",
	Fix:      "Remove the field from the manifest, or set it to the live templates.",
	Repair:   "Sets the field to the templates in last-applied, or removes it where there are none.",
	Links:    []string{"https://github.com/openshift/telemeter/issues/71", "https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#volume-claim-templates"},
	Severity: lint.Error,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		path := fieldpath.New("spec", "volumeClaimTemplates")
		value, set := o.Find(path, o.Manifest.Tree)
		live := tree.List(o.Before, "spec", "volumeClaimTemplates")
		if !o.Is("StatefulSet.apps") || !set || !tree.Empty(value) || len(live) == 0 || f.Code != fault.Immutable {
			return nil
		}
		if !f.Path.Equal(path) && !f.Path.Equal(fieldpath.New("spec")) { // before 1.37
			return nil
		}
		r := &lint.Report{
			Path: path, LivePath: path,
			Message: "the empty volumeClaimTemplates would remove the live templates, which cannot be changed; apply is rejected",
			Fix:     "set volumeClaimTemplates to those of the live object",
		}
		if applied := tree.List(o.LastApplied(), "spec", "volumeClaimTemplates"); len(applied) > 0 {
			r.Edits = []edit.Edit{edit.Set(path, applied)}
		}
		return r
	},
	Run: func(p *lint.Pass) {
		path := fieldpath.New("spec", "volumeClaimTemplates")
		for o := range p.Accepted() {
			value, set := o.Find(path, o.Manifest.Tree)
			if !o.Is("StatefulSet.apps") || !set || value == nil || !tree.Empty(value) || o.PatchType == rehearsal.Apply {
				continue
			}
			p.Report(o, lint.Report{
				Path: path, Severity: lint.Info,
				Message: "the server drops the empty volumeClaimTemplates; every apply sends it again and reports a change",
				Fix:     "remove the line", Edits: []edit.Edit{edit.Remove(path)},
			})
		}
	},
}
