package rules

import (
	"fmt"
	"iter"
	"sync"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/selector"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var serviceLosesPods = &lint.Rule{
	ID:    "service-loses-pods",
	Title: "a Service no longer matches any pods",
	Text: "Today the selector of a Service or PodDisruptionBudget matches the pod template of a workload. After the apply, because the " +
		"labels or the selector change, or the apply deletes the workload, it matches none in the manifests or the snapshot, or all that it matches are scaled to 0. " +
		"For a budget that is a warning, and for a new Service that matches none: then pods in the manifests have all labels of its selector, " +
		"with other values, and no custom resource is in the namespace, which may have pods made.",
	Why:      "Apply succeeds, and the Service has no endpoints once the new pods run: connections are refused.",
	Fix:      "Change the label and the selector in two steps: first add the new label to the pods, and when these run, change the selector.",
	Links:    []string{"https://github.com/stackrox/kube-linter/issues/179", "https://kubernetes.io/docs/concepts/services-networking/service/#defining-a-service"},
	Severity: lint.Error,
	Needs:    lint.Live,
	Effect:   impact.CutsTraffic,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		scaledToZero(p)
		matchingNone(p)
		var selecting []*lint.Object
		for o := range p.Accepted() {
			if _, ok := podSelector(o, o.Before); ok {
				selecting = append(selecting, o)
			}
		}
		planned := len(selecting)
		selecting = append(selecting, besideDeleted(p)...)
		before, after, deleted := templates(p, selecting)
		have, makers := labelsOf(p), makersOf(p)
		for i, o := range selecting {
			was, _ := podSelector(o, o.Before)
			now, ok := podSelector(o, o.Result)
			ns := o.Manifest.Namespace
			var gone []string // the workloads of the pods, which the apply deletes
			if ok {
				for id := range deleted[ns].Matching(now) {
					gone = append(gone, id.String())
				}
			}
			if gone == nil && i >= planned { // it is not applied: only a deletion takes its pods
				continue
			}
			if !matchesAny(was, before[ns]) || ok && (matchesAny(now, after[ns]) || gone == nil && !labelsInSet(have(ns), now)) {
				continue
			}
			path := fieldpath.New("spec", "selector")
			r := lint.Report{
				Path: path, LivePath: path, Severity: losing(o),
				Message: fmt.Sprintf("after this %s the %s matches no pods in the manifests or the snapshot; today it matches the pods of %s", p.Plan.By.Run(), o.Kind.Kind, workloads(was, before[ns])),
				Fix:     "change the labels of the pods first, then the selector when the new pods run",
			}
			if v, _ := o.Find(path, o.Before); o.Is("Service") {
				r.Live = lint.Labels(tree.Map(v))
			} else {
				r.Effect = impact.Lacks
			}
			if gone != nil {
				r.Message += "; the " + p.Plan.By.Run() + " deletes " + phrase.Some(gone)
				r.Fix = "if its pods are still needed, keep the workload in the manifests; otherwise remove the " + o.Kind.Kind
			}
			more := 0
			kept := 0 // workloads that are not rejected
			for w := range makers(ns).Matching(was) {
				rejected := w.Action == rehearsal.Rejected
				if rejected {
					r.Fix = "fix the rejected workload first, or keep the selector"
				} else {
					kept++
				}
				if len(r.Notes) == mostNotes {
					more++
					continue
				}
				note := w.Manifest.At() + ": " + w.Identity().String() + " has the pods"
				if rejected {
					note += "; it is rejected, so they keep their labels"
				}
				r.Notes = append(r.Notes, note)
			}
			if more > 0 {
				r.Notes = append(r.Notes, fmt.Sprintf("and %d more", more))
			}
			if kept == 0 && len(r.Notes) > 0 { // one cause, which another rule reports at each workload
				r.Group = "rejected workloads"
				r.Message = "after this apply the " + o.Kind.Kind + " matches no pods: the workload that has them is rejected, so they keep their labels"
			}
			p.Report(o, r)
		}
	},
}

// mostNotes are how many objects the notes of one finding list: with a label that all
// share, each of n findings would list n.
const mostNotes = 10

// scaledToZero reports the Services and budgets whose pods all stop, because their
// workload is scaled to 0. The plan line counts them with the pods that stop.
func scaledToZero(p *lint.Pass) {
	by := map[manifest.Identity]manifest.Identity{}
	for _, r := range p.Impact().Rollouts {
		if r.Scaling != nil {
			for _, id := range r.Scaling.Cut {
				by[id] = r.Outcome.Identity()
			}
		}
	}
	for o := range p.Accepted() {
		workload, cut := by[o.Identity()]
		if _, selects := podSelector(o, o.Result); !cut || !selects {
			continue
		}
		path := fieldpath.New("spec", "selector")
		p.Report(o, lint.Report{
			Path: path, LivePath: path, Effect: impact.Told, Severity: losing(o),
			Message: fmt.Sprintf("after this apply the %s has no pods: %s, which it selects, is scaled to 0", o.Kind.Kind, workload),
			Fix:     "if its pods are still needed, keep at least one; otherwise remove the " + o.Kind.Kind,
		})
	}
}

// matchingNone reports the new Services that match no pods, although pods of the manifests have
// their labels.
func matchingNone(p *lint.Pass) {
	var fresh []*lint.Object
	for _, m := range p.Set() {
		if m.Manifest.Kind.GroupKind() != "Service" || p.Options.Live.FindEntry(m.Manifest.ID()) != nil {
			continue
		}
		if o := m.Object(); o.Result != nil {
			fresh = append(fresh, o)
		}
	}
	_, after, _ := templates(p, fresh)
	have, others := labelsOf(p), customIn(p)
	for _, o := range fresh {
		selects, ok := podSelector(o, o.Result)
		if ns := o.Manifest.Namespace; ok && !matchesAny(selects, after[ns]) && labelsInSet(have(ns), selects) && !others(ns) {
			p.Report(o, lint.Report{
				Path: fieldpath.New("spec", "selector"), Severity: lint.Warning, Effect: impact.Lacks,
				Message: "the new Service matches no pods in the manifests or the snapshot; pods in the manifests have the labels that it selects by, with other values",
				Fix:     "select by labels that the pods have",
			})
		}
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

// besideDeleted are the live Services and budgets that the apply leaves as they are, in the
// namespaces of what it deletes.
func besideDeleted(p *lint.Pass) (list []*lint.Object) {
	c := clusterOf(p)
	if len(c.deleted) == 0 {
		return nil
	}
	in := map[string]bool{}
	for id := range c.deleted {
		in[id.Namespace] = true
	}
	for _, kind := range []string{"Service", "PodDisruptionBudget.policy"} {
		for _, e := range p.Options.Live.EntriesOfKind(kind) {
			if _, planned := c.set[e.ID()]; planned || c.deleted[e.ID()] || !in[e.Namespace] {
				continue
			}
			live := e.Object()
			list = append(list, &lint.Object{Outcome: &rehearsal.Outcome{Manifest: live, Kind: live.Kind, States: rehearsal.States{Before: live.Tree, Result: live.Tree}}})
		}
	}
	return list
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
// objects, before and after the apply, and those that the apply deletes.
func templates(p *lint.Pass, selecting []*lint.Object) (before, after map[string]*selector.Index[none], deleted map[string]*selector.Index[manifest.Identity]) {
	before, after, deleted = map[string]*selector.Index[none]{}, map[string]*selector.Index[none]{}, map[string]*selector.Index[manifest.Identity]{}
	gone := clusterOf(p).deleted
	changed := map[manifest.Identity]bool{}
	for _, o := range selecting {
		ns := o.Manifest.Namespace
		if _, done := before[ns]; done {
			continue
		}
		before[ns], after[ns], deleted[ns] = &selector.Index[none]{}, &selector.Index[none]{}, &selector.Index[manifest.Identity]{}
		for o := range podMakers(p, ns) {
			if o.Result == nil {
				continue
			}
			changed[o.Identity()] = true
			if l := podLabels(o.Before, o.Kind.Kind); l != nil {
				before[ns].Add(l, none{})
			}
			if l := podLabels(o.Result, o.Kind.Kind); l != nil {
				after[ns].Add(l, none{})
			}
		}
	}
	for _, e := range p.Options.Live.Entries {
		if _, used := before[e.Namespace]; !used || changed[e.ID()] || len(e.Owners) > 0 || !mayRunPods(e.Kind) {
			continue
		}
		o := e.Object()
		l := podLabels(o.Tree, o.Kind.Kind)
		if l == nil || gone[e.ID()] && !hasPods(o) {
			continue
		}
		before[o.Namespace].Add(l, none{})
		if gone[e.ID()] {
			deleted[o.Namespace].Add(l, e.ID())
		} else {
			after[o.Namespace].Add(l, none{})
		}
	}
	return before, after, deleted
}

type none struct{}

// podMakers yields the objects of the set in a namespace that may run pods.
func podMakers(p *lint.Pass, namespace string) iter.Seq[*lint.Object] {
	return func(yield func(*lint.Object) bool) {
		for _, m := range clusterOf(p).podMakers().set[namespace] {
			if !yield(m.Object()) {
				return
			}
		}
	}
}

// makersOf finds the objects of podMakers by the labels of their pods before the apply.
func makersOf(p *lint.Pass) func(namespace string) *selector.Index[*lint.Object] {
	by := map[string]*selector.Index[*lint.Object]{}
	return func(namespace string) *selector.Index[*lint.Object] {
		if by[namespace] == nil {
			by[namespace] = &selector.Index[*lint.Object]{}
			for o := range podMakers(p, namespace) {
				by[namespace].Add(podLabels(o.Before, o.Kind.Kind), o)
			}
		}
		return by[namespace]
	}
}

// podLabels are the labels of the pods that an object makes or is.
func podLabels(obj tree.Object, kind string) tree.Object {
	if kind == "Pod" {
		return tree.Map(obj, "metadata", "labels")
	}
	return tree.Map(obj, "spec", "template", "metadata", "labels")
}

// hasPods reports whether a live object that may run pods has some, as far as it tells.
func hasPods(o *manifest.Object) bool {
	if n, set := tree.Int(o.Tree, "spec", "replicas"); set && n == 0 {
		return false
	}
	n, known := impact.Ending(o)
	return n > 0 || !known || !impact.Runs(o.Kind)
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

// labelsOf finds the keys of the labels of the pod templates in a namespace of the set.
func labelsOf(p *lint.Pass) func(namespace string) map[string]bool {
	by := map[string]map[string]bool{}
	for _, o := range p.Set() {
		for key := range tree.Map(o.Manifest.Tree, "spec", "template", "metadata", "labels") {
			if by[o.Manifest.Namespace] == nil {
				by[o.Manifest.Namespace] = map[string]bool{}
			}
			by[o.Manifest.Namespace][key] = true
		}
	}
	return func(namespace string) map[string]bool { return by[namespace] }
}

// customIn tells whether a namespace has a custom resource, which may have pods made.
func customIn(p *lint.Pass) func(namespace string) bool {
	found := sync.OnceValue(func() map[string]bool {
		in := map[string]bool{}
		add := func(kind schema.Kind, namespace string) {
			if _, builtin := schema.Builtin(kind); !builtin {
				in[namespace] = true
			}
		}
		for _, m := range p.Set() {
			add(m.Manifest.Kind, m.Manifest.Namespace)
		}
		for _, e := range p.Options.Live.Entries {
			add(e.Kind, e.Namespace)
		}
		return in
	})
	return func(namespace string) bool { return found()[namespace] }
}

// labelsInSet reports whether pod templates have all labels that a selector asks for.
// Others are put on pods when they run, which no file shows.
func labelsInSet(have map[string]bool, s selector.Selector) bool {
	for _, r := range s {
		if !have[r.Key] {
			return false
		}
	}
	return true
}

// workloads counts the workloads whose pods a selector matches.
func workloads(s selector.Selector, templates *selector.Index[none]) string {
	n := 0
	for range templates.Matching(s) {
		n++
	}
	if n == 1 {
		return "1 workload"
	}
	return fmt.Sprintf("%d workloads", n)
}

func matchesAny(s selector.Selector, list *selector.Index[none]) bool {
	for range list.Matching(s) {
		return true
	}
	return false
}
