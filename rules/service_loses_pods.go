package rules

import (
	"fmt"
	"iter"

	"threeway/lint"
	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/schema"
	"threeway/merge/selector"
	"threeway/merge/tree"
)

var serviceLosesPods = &lint.Rule{
	ID:    "service-loses-pods",
	Title: "a Service no longer matches any pods",
	Text: "Today the selector of a Service or PodDisruptionBudget matches the pod template of a workload. After the apply, because the " +
		"labels or the selector change, it matches no workload in the manifests or the snapshot.",
	Why:      "Apply succeeds, and the Service has no endpoints once the new pods run: connections are refused.",
	Fix:      "Change the label and the selector in two steps: first add the new label to the pods, and when these run, change the selector.",
	Links:    []string{"https://github.com/stackrox/kube-linter/issues/179", "https://kubernetes.io/docs/concepts/services-networking/service/#defining-a-service"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Effect:   impact.CutsTraffic,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		var selecting []*lint.Object
		for o := range p.Accepted() {
			if _, ok := podSelector(o, o.Before); ok {
				selecting = append(selecting, o)
			}
		}
		before, after := templates(p, selecting)
		for _, o := range selecting {
			was, _ := podSelector(o, o.Before)
			now, ok := podSelector(o, o.Result)
			ns := o.Config.Namespace
			if !matchesAny(was, before[ns]) || ok && (matchesAny(now, after[ns]) || !labelsInSet(p, now, ns)) {
				continue
			}
			path := fieldpath.New("spec", "selector")
			r := lint.Report{
				Path: path, LivePath: path,
				Message: fmt.Sprintf("after this apply the %s matches no pods in the manifests or the snapshot; today it matches the pods of %s", o.Kind.Kind, workloads(was, before[ns])),
				Fix:     "change the labels of the pods first, then the selector when the new pods run",
			}
			if v, _ := path.Find(o.Before); o.Is("Service") {
				r.Live = lint.Labels(tree.Map(v))
			}
			for w := range podMakers(p, ns) {
				if was.Matches(podLabels(w.Before, w.Kind.Kind)) {
					line, _, _ := w.Config.Position(nil)
					note := lint.At(w.Config.Origin.File, line) + ": " + w.Identity().String() + " has the pods"
					if w.Action == merge.Rejected {
						note += "; it is rejected, so they keep their labels"
						r.Fix = "fix the rejected workload first, or keep the selector"
					}
					r.Notes = append(r.Notes, note)
				}
			}
			p.Report(o, r)
		}
	},
}

// podSelector is what a Service or a PodDisruptionBudget selects.
func podSelector(o *lint.Object, obj tree.Object) (selector.Selector, bool) {
	switch {
	case o.Is("Service"):
		return impact.Selector(tree.Object{"matchLabels": tree.Map(obj, "spec", "selector")})
	case o.Is("PodDisruptionBudget.policy"):
		return impact.Selector(tree.Map(obj, "spec", "selector"))
	}
	return nil, false
}

// templates collects, by namespace, the labels of the pod templates beside some
// objects, before and after the apply.
func templates(p *lint.Pass, selecting []*lint.Object) (before, after map[string][]tree.Object) {
	before, after = map[string][]tree.Object{}, map[string][]tree.Object{}
	changed := map[manifest.Identity]bool{}
	for _, o := range selecting {
		ns := o.Config.Namespace
		if _, done := before[ns]; done {
			continue
		}
		before[ns], after[ns] = nil, nil
		for o := range podMakers(p, ns) {
			if o.Result == nil {
				continue
			}
			changed[o.Identity()] = true
			if l := podLabels(o.Before, o.Kind.Kind); l != nil {
				before[ns] = append(before[ns], l)
			}
			if l := podLabels(o.Result, o.Kind.Kind); l != nil {
				after[ns] = append(after[ns], l)
			}
		}
	}
	for _, e := range p.Options.Live.Entries {
		if _, used := before[e.Namespace]; !used || changed[e.ID()] || len(e.Owners) > 0 || !mayRunPods(e.Kind) {
			continue
		}
		o := e.Object()
		if l := podLabels(o.Tree, o.Kind.Kind); l != nil {
			before[o.Namespace] = append(before[o.Namespace], l)
			after[o.Namespace] = append(after[o.Namespace], l)
		}
	}
	return before, after
}

// podMakers yields the objects of the set in a namespace that may run pods.
func podMakers(p *lint.Pass, namespace string) iter.Seq[*lint.Object] {
	return func(yield func(*lint.Object) bool) {
		for _, m := range p.Set() {
			if m.Config.Namespace == namespace && mayRunPods(m.Config.Kind) && !yield(m.Object()) {
				return
			}
		}
	}
}

// podLabels are the labels of the pods that an object makes or is.
func podLabels(obj tree.Object, kind string) tree.Object {
	if kind == "Pod" {
		return tree.Map(obj, "metadata", "labels")
	}
	return tree.Map(obj, "spec", "template", "metadata", "labels")
}

// mayRunPods reports whether objects of a kind may be pods or have a template
// of them: of the built-in kinds only some.
func mayRunPods(k schema.Kind) bool {
	switch k.Kind {
	case "Pod", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job":
		return true
	}
	_, builtin := schema.Builtin(k)
	return !builtin
}

// labelsInSet reports whether pod templates in the namespace have all labels that a
// selector asks for. Others are put on pods when they run, which no file shows.
func labelsInSet(p *lint.Pass, s selector.Selector, namespace string) bool {
	have := map[string]bool{}
	for _, o := range p.Set() {
		if o.Config.Namespace == namespace {
			for key := range tree.Map(o.Config.Tree, "spec", "template", "metadata", "labels") {
				have[key] = true
			}
		}
	}
	for _, r := range s {
		if !have[r.Key] {
			return false
		}
	}
	return true
}

// workloads counts the workloads whose pods a selector matches.
func workloads(s selector.Selector, templates []tree.Object) string {
	n := 0
	for _, labels := range templates {
		if s.Matches(labels) {
			n++
		}
	}
	if n == 1 {
		return "1 workload"
	}
	return fmt.Sprintf("%d workloads", n)
}

func matchesAny(s selector.Selector, list []tree.Object) bool {
	for _, labels := range list {
		if s.Matches(labels) {
			return true
		}
	}
	return false
}
