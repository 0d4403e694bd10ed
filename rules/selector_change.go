package rules

import (
	"slices"

	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var selectorChange = &lint.Rule{
	ID:    "selector-change",
	Title: "the selector differs from the live one",
	Text:  "The selector of a workload would change. In apps/v1 it is immutable; that of a ReplicationController may change (warning).",
	Why: "The controller would leave the old pods running without an owner, so the API server rejects the whole object, with all its " +
		"other changes.",
	Fix: "Keep the live selector, and its labels on the pod template, which may have new ones besides; or follow the steps of the remedy.",

	Links:    []string{declarative, issue + "50808", issue + "26202"},
	Severity: lint.Error,
	Needs:    lint.Live,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			if at, r := fieldpath.New("spec", "selector"), p.Impact().Rollout(o.Identity()); r != nil && r.Orphans {
				p.Report(o, lint.Report{Path: at, LivePath: at, Severity: lint.Warning,
					Message: "the new selector does not match the pods that run: they stay without a controller, and new ones start beside them",
					Fix:     "keep the live selector, and its labels on the pod template; or delete the old pods by hand afterwards"})
			}
		}
	},
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		at := fieldpath.New("spec", "selector")
		if o.Live == nil || f.Code != fault.Immutable || !selectorOnly(o, changedBelow(o, f)) {
			return nil
		}
		old, _ := o.Find(at, o.Before)
		merged, _ := o.Find(at, o.Merged())
		live, now := lint.Contrast(old, merged)
		return &lint.Report{
			Path: at, LivePath: at, Live: live, Suggested: liveSelector(o, old), Likely: true,
			Message: "spec.selector differs from the live one; the field is immutable, and apply is rejected",
			Notes:   []string{"apply would set it to " + now},
			Fix:     "keep the selector " + live + ", and its labels on the pod template",
		}
	},
}

// liveSelector are the edits that keep the live selector, and its labels on the pod
// template.
func liveSelector(o *lint.Object, selector any) []edit.Edit {
	labels := tree.Map(selector, "matchLabels")
	if o.Is("ReplicationController") {
		labels, _ = selector.(tree.Object)
	}
	at := fieldpath.New("spec", "selector")
	config, set := o.Find(at, o.Manifest.Tree)
	edits, ok := toward(at, config, selector, set, true)
	if !ok {
		return nil
	}
	for _, key := range tree.Keys(labels) {
		if tree.String(o.Manifest.Tree, "spec", "template", "metadata", "labels", key) != labels[key] {
			edits = append(edits, edit.Set(fieldpath.New("spec", "template", "metadata", "labels", key), labels[key]))
		}
	}
	return edits
}

// selectorOnly reports whether the paths are all in the selector of a workload.
// A Job's is generated and has a rule with its template.
func selectorOnly(o *lint.Object, paths []fieldpath.Path) bool {
	_, ok := workload(o)
	return ok && !o.Is("Job.batch") && !slices.ContainsFunc(paths, func(p fieldpath.Path) bool {
		return !p.HasPrefix(fieldpath.New("spec", "selector"))
	})
}
