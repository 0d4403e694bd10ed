package rules

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var implicitSelector = &lint.Rule{
	ID:    "implicit-selector",
	Title: "a workload has no selector of its own",
	Text: "The workload does not say which pods are its own. Deployments, StatefulSets, DaemonSets and ReplicaSets are rejected without a " +
		"selector; a ReplicationController gets its template's labels, a Job a generated label (info).",
	Why: "A defaulted selector is in the live object and in no config. It does not follow when the labels change. A Job's generated one is " +
		"another for each Job that is made anew, so that nothing in a config can select the Job's pods by it.",
	Fix: "Write the selector down, with a label that stays. A Job needs one only if its pods are to be adopted or found by it; then it " +
		"needs manualSelector: true as well.",
	Repair: "Writes the live selector down or, for a new object, the labels of the template. Labels that change with " +
		"releases do not become a selector, and a Job's generated one stays generated.",
	Links:    []string{declarative, "https://kubernetes.io/docs/concepts/workloads/controllers/job/#specifying-your-own-pod-selector"},
	Severity: lint.Warning,
	Since:    "0.1",
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if _, ok := workload(o); !ok || f.Type != "Required value" || !f.Path.Equal(fieldpath.New("spec", "selector")) {
			return nil
		}
		r := &lint.Report{Path: f.Path, Message: "spec.selector is missing; apply is rejected", Fix: "set spec.selector to labels of the pod template"}
		if live := tree.Map(o.Before, "spec", "selector"); live != nil {
			r.Fix = "set spec.selector to the live one, " + lint.Value(live)
		}
		if s := ownSelector(o); s != nil {
			r.Edits = []edit.Edit{edit.Set(f.Path, s)}
		}
		return r
	},
	Run: func(p *lint.Pass) {
		path := fieldpath.New("spec", "selector")
		for o := range p.Accepted() {
			if has(o.Config.Tree, path) {
				continue
			}
			switch {
			case o.Is("Job.batch"):
				p.Report(o, lint.Report{Path: path, LivePath: path, Severity: lint.Info,
					Message: "the server generates the Job's selector and its pods' label, anew for each Job; neither is in the config",
					Fix:     "none is needed, unless something selects the pods by a label of your own: then set spec.manualSelector: true and spec.selector"})
			case o.Is("ReplicationController"):
				r := lint.Report{Path: path, LivePath: path, Severity: lint.Info,
					Message: "spec.selector is not set: the server took the template's labels for it, and it does not follow when they change",
					Fix:     "set spec.selector to " + lint.Value(tree.Map(o.Result, "spec", "selector"))}
				if o.Live != nil {
					r.Severity = lint.Warning
				}
				if selector := tree.Map(o.Result, "spec", "selector"); len(selector) > 0 {
					r.Edits = []edit.Edit{edit.Set(path, selector)}
				}
				p.Report(o, r)
			}
		}
	},
}

// ownSelector is the selector that a workload can only mean: the live one,
// which is immutable, or else its template's labels; nil if it cannot be told.
func ownSelector(o *lint.Object) tree.Object {
	labels := tree.Map(o.Config.Tree, "spec", "template", "metadata", "labels")
	if live := tree.Map(o.Before, "spec", "selector"); live != nil {
		for key, value := range tree.Map(live, "matchLabels") {
			if len(live) > 1 || labels[key] != value {
				return nil
			}
		}
		return live
	}
	for key, value := range labels {
		text, _ := value.(string)
		if mutable(key, text, imageTags(o)) != "" {
			return nil
		}
	}
	if len(labels) == 0 {
		return nil
	}
	return tree.Object{"matchLabels": labels}
}
