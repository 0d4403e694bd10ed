package rules

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
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

// selection is what the selector of a Service or a budget matches. It is shared by all that
// select alike.
type selection struct {
	selector.Selector
	// running are the workloads whose pods it matches as they run before the apply, after
	// those whose pods it matches once they are replaced.
	running, after []podTemplate
	gone           []string // workloads of its pods that the apply deletes
	pods           func() int
}

// selectors are what the selector of a Service or a budget matches today, and what the one
// after the apply does.
func (c *cluster) selectors(o *lint.Object) (was, now *selection) {
	return c.selection(o, o.Before), c.selection(o, o.Result)
}

// selection is what the selector in a state of a Service or a budget matches.
func (c *cluster) selection(o *lint.Object, obj tree.Object) *selection {
	s, has := podSelector(o, obj)
	if !has {
		return &selection{pods: func() int { return 0 }}
	}
	var key strings.Builder
	slices.SortFunc(s, func(a, b selector.Requirement) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Op, b.Op), slices.Compare(a.Values, b.Values))
	})
	for _, r := range s {
		fmt.Fprintf(&key, "%s %s %q,", r.Key, r.Op, r.Values)
	}
	return c.podMakers().selections.Get(o.Manifest.Namespace+"/"+key.String(), func() *selection { return c.match(o.Manifest.Namespace, s) })
}

func (c *cluster) match(namespace string, s selector.Selector) *selection {
	sel := &selection{Selector: s, pods: sync.OnceValue(func() int { return c.livePods(namespace, s) })}
	own, set := namedByController(s)
	for t := range c.selected(namespace, false, own) {
		if labels, _ := t.before(); labels != nil && bears(t.known.before, t.source.Kind.Kind, labels, set) && (t.known.after != nil || hasPods(t.source)) {
			sel.running = append(sel.running, t)
			if t.known.after == nil {
				sel.gone = append(sel.gone, t.source.ID().String())
			}
		}
	}
	for t := range c.selected(namespace, true, own) {
		if labels, _ := t.after(); labels != nil && bears(t.known.after, t.source.Kind.Kind, labels, set) {
			sel.after = append(sel.after, t)
		}
	}
	return sel
}

// namedByController tells apart what a selector asks of labels that a controller gives to pods by their name or
// ordinal.
func namedByController(s selector.Selector) (own, set selector.Selector) {
	for _, r := range s {
		switch r.Key {
		case podNameLabel, podIndexLabel, jobNameLabel, "batch.kubernetes.io/" + jobNameLabel:
			set = append(set, r)
		default:
			own = append(own, r)
		}
	}
	return own, set
}

const (
	podNameLabel  = "statefulset.kubernetes.io/pod-name"
	podIndexLabel = "apps.kubernetes.io/pod-index"
	jobNameLabel  = "job-name"
)

// bears reports whether one of the pods of an object has the labels that a selector asks for, with those that
// its controller sets.
func bears(obj tree.Object, kind string, labels tree.Object, set selector.Selector) bool {
	if set == nil || set.Matches(labels) {
		return true
	}
	name, first, n := tree.String(obj, "metadata", "name"), int64(0), int64(1)
	if kind == "StatefulSet" {
		first, _ = tree.Int(obj, "spec", "ordinals", "start")
		n = replicas(obj)
	} else if kind != "Job" {
		return false
	}
	of := func(i int64) tree.Object {
		pod := maps.Clone(labels)
		if number := strconv.FormatInt(i, 10); kind == "Job" {
			pod[jobNameLabel], pod["batch.kubernetes.io/"+jobNameLabel] = name, name
		} else {
			pod[podNameLabel], pod[podIndexLabel] = name+"-"+number, number
		}
		return pod
	}
	if set.Matches(of(first)) {
		return n > 0
	}
	for _, r := range set {
		for _, v := range r.Values {
			i, err := strconv.ParseInt(v[strings.LastIndexByte(v, '-')+1:], 10, 64)
			if err == nil && i >= first && i < first+n && set.Matches(of(i)) {
				return true
			}
		}
	}
	return false
}

// livePods is how many pods of the snapshot a selector matches, those of workloads too.
func (c *cluster) livePods(namespace string, s selector.Selector) (n int) {
	in := c.podMakers()
	pods := in.pods.Get(namespace, func() *selector.Index[struct{}] {
		pods := &selector.Index[struct{}]{}
		if c.p.Options.Live == nil {
			return pods
		}
		for _, e := range c.p.Options.Live.EntriesOfKind("Pod") {
			if e.Namespace == namespace {
				pods.Add(tree.Map(e.Object().Tree, "metadata", "labels"), struct{}{})
			}
		}
		return pods
	})
	for range pods.Matching(s) {
		n++
	}
	return n
}

// unset are the labels that a selector asks for and that no pod template of the namespace
// has, before or after the apply.
func (c *cluster) unset(namespace string, s selector.Selector) (keys []string) {
	have := c.labelKeys(namespace)
	for _, r := range s {
		if r.Op == "in" && !have[r.Key] && !slices.Contains(keys, r.Key) {
			keys = append(keys, r.Key)
		}
	}
	slices.Sort(keys)
	return keys
}

// labelKeys are the keys of the labels of the pod templates of a namespace.
func (c *cluster) labelKeys(namespace string) map[string]bool {
	return c.podMakers().keys.Get(namespace, func() map[string]bool {
		have := map[string]bool{}
		for _, t := range c.templates(namespace) {
			for _, obj := range []tree.Object{t.known.before, t.known.after, t.source.Tree} { // a rejected manifest too
				for key := range podLabels(obj, t.source.Kind.Kind) {
					have[key] = true
				}
			}
		}
		return have
	})
}

// podSelecting yields the accepted Services and budgets of the set, and the live ones beside
// workloads that the apply changes or deletes.
func (c *cluster) podSelecting() iter.Seq[*lint.Object] {
	return func(yield func(*lint.Object) bool) {
		for o := range c.p.Accepted() {
			if o.Is(selectingKinds...) && o.Before != nil && !yield(o) {
				return
			}
		}
		if c.p.Options.Live == nil {
			return
		}
		in := map[string]bool{}
		for id := range c.deleted {
			in[id.Namespace] = true
		}
		for namespace, list := range c.podMakers().set {
			in[namespace] = in[namespace] || slices.ContainsFunc(list, func(m lint.Member) bool { return m.Object().Action == rehearsal.Configured })
		}
		for _, kind := range selectingKinds {
			for _, e := range c.p.Options.Live.EntriesOfKind(kind) {
				if _, planned := c.set[e.ID()]; planned || c.deleted[e.ID()] || !in[e.Namespace] {
					continue
				}
				live := e.Object()
				if !yield(&lint.Object{Outcome: &rehearsal.Outcome{Manifest: live, Kind: live.Kind, States: rehearsal.States{Before: live.Tree, Result: live.Tree}}}) {
					return
				}
			}
		}
	}
}

const budget = "PodDisruptionBudget.policy"

var selectingKinds = []string{"Service", budget}

// matchingNone reports the new Services and budgets that match no pods.
func matchingNone(p *lint.Pass) {
	c, live, others := clusterOf(p), p.Options.Live, customIn(p)
	for _, m := range p.Set() {
		ns := m.Manifest.Namespace
		if !slices.Contains(selectingKinds, m.Manifest.Kind.GroupKind()) || ns == "kube-system" || live != nil && live.FindEntry(m.Manifest.ID()) != nil {
			continue
		}
		o := m.Object()
		if o.Result == nil || o.Before != nil {
			continue
		}
		now := c.selection(o, o.Result)
		if now.Selector == nil || now.after != nil || now.pods() > 0 || others(ns) {
			continue
		}
		elsewhere := c.inOtherNamespace(o, now.Selector)
		if elsewhere != "" || c.mayBeMistyped(o, now.Selector) {
			lacks, meant := c.lacks(ns, now.Selector)
			lacks, meant = lacks+elsewhere, cmp.Or(meant, map[bool]string{true: "put both into one namespace"}[elsewhere != ""])
			p.Report(o, lint.Report{
				Path: fieldpath.New("spec", "selector"), Severity: lint.Warning, Effect: impact.Lacks,
				Message: "the new " + o.Kind.Kind + " selects no pods: " + lacks,
				Fix:     cmp.Or(meant, "select by labels that the pods have"),
			})
		}
	}
}

// inOtherNamespace says which workload of the manifests has the name of a new Service and the labels that it
// selects, in a namespace without a Service of that name; "" if none does, or several do.
func (c *cluster) inOtherNamespace(o *lint.Object, s selector.Selector) (text string) {
	type named map[string][]lint.Member
	for _, m := range lint.SharedByRun(c.p, func() named {
		all := named{}
		for _, m := range c.p.Set() {
			if hasPods(m.Manifest) || m.Manifest.Kind.GroupKind() == "Service" {
				all[m.Manifest.Name] = append(all[m.Manifest.Name], m)
			}
		}
		return all
	})[o.Manifest.Name] {
		other := m.Object()
		switch {
		case m.Manifest == o.Manifest:
		case text != "", m.Manifest.Kind.GroupKind() == "Service", m.Manifest.Namespace == o.Manifest.Namespace:
			return ""
		case s.Matches(podLabels(other.Result, m.Manifest.Kind.Kind)):
			text = " in namespace " + o.Manifest.Namespace + ", and " + other.Name() + " has it"
		}
	}
	return text
}

// mayBeMistyped reports whether the selector of a new Service, which no pod template meets, is
// wrong: not if a label may be set when the pods run, or if its pods may be those of others.
func (c *cluster) mayBeMistyped(o *lint.Object, s selector.Selector) bool {
	unset := c.unset(o.Manifest.Namespace, s)
	if unset == nil {
		return true
	}
	var set selector.Selector
	for _, r := range s {
		if !slices.Contains(unset, r.Key) {
			set = append(set, r)
		}
	}
	if set == nil {
		return slices.ContainsFunc(c.templates(o.Manifest.Namespace), func(t podTemplate) bool {
			return t.source.Name == o.Manifest.Name && t.source.Kind.Kind != "Pod"
		})
	}
	for t := range c.selected(o.Manifest.Namespace, true, set) {
		if t.source.Kind.Kind == "StatefulSet" { // which names its pods by labels, and whose leader may be marked by one
			return false
		}
	}
	return true
}

// lacks says which labels of a selector no pod template has after the apply, and asks for
// those that are spelled almost like it.
func (c *cluster) lacks(namespace string, s selector.Selector) (text, meant string) {
	values := c.labelValues(namespace)
	has := func(key, value string) bool { _, found := slices.BinarySearch(values[key], value); return found }
	var lacking []string
	for _, r := range s {
		if r.Op != "in" || slices.ContainsFunc(r.Values, func(v string) bool { return has(r.Key, v) }) {
			continue
		}
		lacking = append(lacking, r.Key+"="+strings.Join(r.Values, "|"))
		key, value := r.Key, r.Values[0]
		if values[key] != nil {
			value = phrase.Nearest(value, beside(values[key], value))
		} else if key = phrase.Nearest(key, slices.Collect(maps.Keys(values))); !has(key, value) {
			continue
		}
		if value != "" && meant == "" {
			meant = "did you mean " + key + ": " + value + "?"
		}
	}
	if s == nil {
		return "it has no selector", ""
	}
	text = "no workload in the manifests "
	if live := c.p.Options.Live; live != nil && len(live.Entries) > 0 {
		text += "or the snapshot "
	}
	if lacking == nil {
		return text + "has labels that match its selector", ""
	}
	return text + "has " + strings.Join(lacking, " or "), meant
}

// beside are the words next to one in a sorted list, among which one that is meant is likely.
func beside(sorted []string, word string) []string {
	const most = 6
	at, _ := slices.BinarySearch(sorted, word)
	return sorted[max(at-most, 0):min(at+most, len(sorted))]
}

// podSelector is what a Service, a PodDisruptionBudget or a NetworkPolicy selects.
func podSelector(o *lint.Object, obj tree.Object) (selector.Selector, bool) {
	want := tree.Map(obj, "spec", "selector")
	switch {
	case o.Is("Service"):
		want = tree.Object{"matchLabels": want}
	case o.Is(networkPolicy):
		want = tree.Map(obj, "spec", "podSelector")
	}
	return impact.Selector(want)
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
