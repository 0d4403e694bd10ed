package rules

import (
	"cmp"
	"fmt"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/selector"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var serviceLosesPods = &lint.Rule{
	ID:    "service-loses-pods",
	Title: "a Service no longer matches any pods",
	Text: "The selector of a Service or PodDisruptionBudget matches a pod template today, and after the apply none in the manifests or the " +
		"snapshot, or only workloads scaled to 0. A warning for a budget, for a selector with a label that no pod template has, and for " +
		"a new Service, if pods in the manifests have other values of its labels, or a workload of its name has other labels. A new " +
		"Service is not reported beside a custom resource, which may have pods made, nor in kube-system.",
	Why:      "Apply succeeds, and the Service has no endpoints once the new pods run: connections are refused.",
	Fix:      "Add the new label to the pods first, and when these run, change the selector.",
	Links:    []string{"https://github.com/stackrox/kube-linter/issues/179", "https://kubernetes.io/docs/concepts/services-networking/service/#defining-a-service"},
	Severity: lint.Error,
	Effect:   impact.CutsTraffic,
	Run: func(p *lint.Pass) {
		c := clusterOf(p)
		scaledToZero(p)
		matchingNone(p)
		for o := range c.podSelecting() {
			was, now := c.selectors(o)
			today := was.running
			if today == nil || now.after != nil {
				continue
			}
			unset := c.unset(o.Manifest.Namespace, now.Selector)
			pods := now.pods()
			if unset != nil && now.gone == nil && pods > 0 { // they got the label when they ran
				continue
			}
			path := fieldpath.New("spec", "selector")
			if now.Selector == nil && departed(p, o, path) {
				continue
			}
			lacks, meant := c.lacks(o.Manifest.Namespace, now.Selector)
			r := lint.Report{
				Path: path, LivePath: path, Severity: losing(o),
				Message: fmt.Sprintf("the %s will select no pods: %s", o.Kind.Kind, lacks),
				Fix:     "change the labels of the pods first, then the selector when the new pods run",
			}
			if v, _ := o.Find(path, o.Before); o.Is("Service") {
				r.Live = lint.Labels(tree.Map(v))
			} else {
				r.Effect = impact.Lacks
			}
			if fixed := bound(today, now.Selector); fixed != "" {
				r.Fix = fixed
			}
			if unset != nil {
				r.Fix = "add the label to the pods first, or remove it from the selector"
				if was.pods() == 0 {
					r.Severity = lint.Warning // a controller may set it
				}
			}
			if now.gone != nil {
				r.Message += "; the " + p.Plan.By.Run() + " deletes " + phrase.Some(now.gone)
				r.Fix = "if its pods are still needed, keep the workload in the manifests; otherwise remove the " + o.Kind.Kind
			}
			if v, _ := o.Find(path, o.Result); meant != "" && !tree.Equal(v, tree.Map(o.Before, "spec", "selector")) {
				r.Fix = meant
			}
			more := 0
			kept := 0 // workloads that are not rejected
			for _, t := range today {
				if _, inSet := c.set[t.source.ID()]; !inSet {
					continue
				}
				if t.rejected {
					r.Fix = "fix the rejected workload first, or keep the selector"
				} else {
					kept++
				}
				if len(r.Notes) == mostNotes {
					more++
					continue
				}
				note := t.source.At() + ": " + t.source.ID().String() + " has the pods"
				if t.rejected {
					note += "; it is rejected, so they keep their labels"
				}
				r.Notes = append(r.Notes, note)
			}
			if more > 0 {
				r.Notes = append(r.Notes, fmt.Sprintf("and %d more", more))
			}
			if at, label := c.relabeled(o, today, now.Selector); at != nil { // there an annotation is on a changed line
				r.Path, r.LivePath, r.Live, r.Notes = label, label, "", nil
				r.Message = fmt.Sprintf("%s %s will select no pods: %s", o.Kind.Kind, o.Manifest.Name, lacks)
				r.Fix = cmp.Or(meant, "keep the label") + ", or first let the " + o.Kind.Kind + " select labels that both old and new pods have"
				p.Report(at, r)
				continue
			}
			if kept == 0 && len(r.Notes) > 0 { // one cause, which another rule reports at each workload
				r.Group = "rejected workloads"
				r.Message = "the " + o.Kind.Kind + " will select no pods: its workload is rejected, so the pods keep their old labels"
			}
			p.Report(o, r)
		}
	},
}

// bound says which label a selector has to keep, since a workload selects its pods by it for good;
// "" if there is none.
func bound(today []podTemplate, s selector.Selector) string {
	for _, t := range today {
		own := tree.Map(t.known.after, "spec", "selector", "matchLabels")
		for _, r := range s {
			if value, has := own[r.Key]; has && !(selector.Selector{r}).Matches(own) {
				return fmt.Sprintf("keep %s: %v in the selector: %s selects its pods by it, and cannot change that", r.Key, value, manifest.Title(t.source.ID().String()))
			}
		}
	}
	return ""
}

// relabeled is the one workload of some that ran the pods of a selector, which stays as it is, and
// its label that changes; nil if there are others.
func (c *cluster) relabeled(o *lint.Object, today []podTemplate, s selector.Selector) (at *lint.Object, label fieldpath.Path) {
	m, inSet := c.set[today[0].source.ID()]
	if len(today) > 1 || !inSet || today[0].rejected || !tree.Equal(tree.Map(o.Before, "spec", "selector"), tree.Map(o.Result, "spec", "selector")) {
		return nil, nil
	}
	was, _ := today[0].before()
	labels, _ := today[0].after()
	for _, r := range s {
		if was[r.Key] != labels[r.Key] && labels != nil && !(selector.Selector{r}).Matches(labels) {
			path := fieldpath.New("metadata", "labels", r.Key)
			if m.Manifest.Kind.Kind != "Pod" {
				path = fieldpath.New("spec", "template").Join(path)
			}
			return m.Object(), path
		}
	}
	return nil, nil
}

// mostNotes are how many objects the notes of one finding list: with a label that all
// share, each of n findings would list n.
const mostNotes = 10

// scaledToZero reports the workloads of which all pods stop, where Services and budgets of
// the manifests select no others. The plan line counts those with the pods that stop.
func scaledToZero(p *lint.Pass) {
	c := clusterOf(p)
	for o := range p.Accepted() {
		r := p.Impact().Rollout(o.Identity())
		if r == nil || r.Scaling == nil {
			continue
		}
		severity, left := lint.Warning, []string(nil)
		for _, id := range r.Scaling.Cut {
			if _, planned := c.set[id]; !planned || id.Kind == "HorizontalPodAutoscaler" {
				continue
			}
			if left = append(left, id.Kind+" "+id.Name); id.Kind == "Service" {
				severity = lint.Unset
			}
		}
		if left == nil {
			continue
		}
		path := fieldpath.New("spec", "replicas")
		p.Report(o, lint.Report{
			Path: path, LivePath: path, Effect: impact.Told, Severity: severity,
			Message: fmt.Sprintf("replicas: 0 leaves %s without pods", phrase.Some(left)),
			Fix:     "set replicas: 1 or more, or remove " + strings.Join(left, " and "),
		})
	}
}

// losing is the severity of what loses its pods, if it is not that of the rule: no traffic
// goes through a budget.
func losing(o *lint.Object) lint.Severity {
	if o.Is("Service") {
		return lint.Unset
	}
	return lint.Warning
}
