package rules

import (
	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var implicitSelector = &lint.Rule{
	ID:    "implicit-selector",
	Title: "a workload has no selector in its manifest",
	Text: "The workload has no selector in its manifest. Deployments, StatefulSets, DaemonSets and ReplicaSets are rejected without one; a " +
		"ReplicationController gets its template's labels (info). A Job needs none.",
	Why: "The server sets the selector once, and does not update it when the labels of the template change.",
	Fix: "Set the selector, with a label that does not change.",
	Repair: "Sets the live selector or, for a new object, the labels of the template. Labels that change with releases are left out, " +
		"and a Job's selector stays generated.",
	Links:    []string{declarative, "https://kubernetes.io/docs/concepts/workloads/controllers/job/#specifying-your-own-pod-selector"},
	Severity: lint.Info,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		path := fieldpath.New("spec", "selector")
		missing := f.Type == "Required value" && f.Path.Equal(path) ||
			f.Code == fault.SelectorMismatch && !has(o.Merged(), path) // what a DaemonSet is told
		if _, ok := workload(o); !ok || !missing {
			return nil
		}
		r := &lint.Report{Path: path, Message: "spec.selector is missing; apply is rejected", Fix: "set spec.selector to labels of the pod template"}
		if live := tree.Map(o.Before, "spec", "selector"); live != nil {
			r.Fix = "set spec.selector to the live one, " + lint.Value(live)
		}
		if s := ownSelector(o); s != nil {
			r.Edits = []edit.Edit{edit.Set(path, s)}
		}
		return r
	},
	Run: func(p *lint.Pass) {
		path := fieldpath.New("spec", "selector")
		for o := range p.Accepted() {
			if has(o.Manifest.Tree, path) {
				continue
			}
			if !o.Is("ReplicationController") {
				if !has(o.Before, path) || o.Is("Job.batch", "CronJob.batch") {
					continue
				}
				r := lint.Report{Path: path, LivePath: path, Severity: lint.Info, Fix: "set spec.selector to the live one, " + lint.Value(tree.Map(o.Before, "spec", "selector")),
					Message: "spec.selector is in the live object alone: this manifest cannot create the object where it is not live"}
				if s := ownSelector(o); s != nil {
					r.Edits = []edit.Edit{edit.Set(path, s)}
				}
				if _, ok := workload(o); ok {
					p.Report(o, r)
				}
				continue
			}
			r := lint.Report{Path: path, LivePath: path, Severity: lint.Info,
				Message: "spec.selector is not set; the server sets it to the template's labels once, and does not update it when they change",
				Fix:     "set spec.selector to " + lint.Value(tree.Map(o.Result, "spec", "selector"))}
			if selector := tree.Map(o.Result, "spec", "selector"); len(selector) > 0 {
				r.Edits = []edit.Edit{edit.Set(path, selector)}
			}
			p.Report(o, r)
		}
	},
}

// ownSelector is the selector that a workload can only mean: the live one,
// which is immutable, or else its template's labels; nil if it is unknown.
func ownSelector(o *lint.Object) tree.Object {
	labels := tree.Map(o.Manifest.Tree, "spec", "template", "metadata", "labels")
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
