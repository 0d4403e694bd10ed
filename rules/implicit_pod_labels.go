package rules

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var implicitPodLabels = &lint.Rule{
	ID:    "implicit-pod-labels",
	Title: "the pod template has no labels",
	Text: "The pod template of a workload has no labels. A Deployment, StatefulSet, DaemonSet or ReplicaSet is then rejected, because its " +
		"selector cannot match; Jobs and CronJobs get only generated labels (info).",
	Why:      "Selectors, Services and NetworkPolicies find pods by labels.",
	Fix:      "Label the pod template, with at least the labels of the selector.",
	Repair:   "Gives the template the labels of the selector.",
	Links:    []string{declarative},
	Severity: lint.Warning,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		template, ok := workload(o)
		labels := template.Child("metadata", "labels")
		if v, _ := o.Find(labels, o.Merged()); !ok || !f.Path.HasPrefix(labels) || len(tree.Map(v)) > 0 {
			return nil
		}
		r := &lint.Report{Path: labels, Message: "the pod template has no labels, which the selector needs; apply is rejected", Fix: "give the pod template the labels of the selector"}
		if o.Is("Job.batch") && !tree.Bool(o.Manifest.Tree, "spec", "manualSelector") {
			r.Message = "the server sets spec.selector of a Job, and the pod template does not have the labels of this one; apply is rejected"
			r.Fix, r.Suggested = "remove spec.selector", []edit.Edit{edit.Remove(fieldpath.New("spec", "selector"))}
			return r
		}
		selector := tree.Map(o.Manifest.Tree, "spec", "selector")
		if wanted := tree.Map(selector, "matchLabels"); len(selector) == 1 && len(wanted) > 0 {
			r.Edits = []edit.Edit{edit.Set(labels, wanted)}
			if text := asTyped(labels, wanted); text != "" {
				r.Fix = "add " + text
			}
		}
		return r
	},
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			template, ok := workload(o)
			if labels := template.Child("metadata", "labels"); ok && !has(o.Manifest.Tree, labels) && (!has(o.Before, labels) || o.Is("Job.batch")) { // apply keeps those of others
				p.Report(o, lint.Report{Path: labels, Severity: lint.Info,
					Message: "the pod template has no labels; its pods have only labels that the server generates",
					Fix:     "add labels under " + template.Child("metadata").String() + ", such as " + flow(tree.Object{"app": o.Manifest.Name})})
			}
		}
	},
}
