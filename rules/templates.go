package rules

import (
	"iter"
	"slices"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/memo"
	"threeway/merge/rehearsal"
	"threeway/merge/selector"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// podTemplate is what makes pods, or is one.
type podTemplate struct{ known }

func (t podTemplate) before() (labels, spec tree.Object) { return t.of(t.known.before) }

func (t podTemplate) after() (labels, spec tree.Object) { return t.of(t.known.after) }

func (t podTemplate) of(obj tree.Object) (labels, spec tree.Object) {
	_, spec = podSpec(t.source.Kind, obj)
	if spec == nil {
		spec = tree.Map(obj, "spec", "template", "spec")
	}
	return podLabels(obj, t.source.Kind.Kind), spec
}

// podMakersIn are the objects that may make pods, by namespace: of the set, and
// those of the snapshot that no other object owns.
type podMakersIn struct {
	set  map[string][]lint.Member
	live map[string][]*manifest.Entry
	made memo.Table[string, []podTemplate] // by namespace
	// before and after are the templates by their labels, by namespace.
	before, after memo.Table[string, *selector.Index[podTemplate]]
	keys          memo.Table[string, map[string]bool]           // of labels, by namespace
	values        memo.Table[string, map[string][]string]       // of labels after the apply, by namespace
	ports         memo.Table[string, declaredPorts]             // of containers, by the selector that was asked for
	change        memo.Table[string, bool]                      // whether those of the set change, by namespace
	selections    memo.Table[string, *selection]                // by namespace and selector
	pods          memo.Table[string, *selector.Index[struct{}]] // live pods by their labels, by namespace
}

func (c *cluster) podMakers() *podMakersIn {
	return lint.SharedByRun(c.p, func() *podMakersIn {
		in := &podMakersIn{set: map[string][]lint.Member{}, live: map[string][]*manifest.Entry{}}
		for _, m := range c.p.Set() {
			if mayRunPods(m.Manifest.Kind) {
				in.set[m.Manifest.Namespace] = append(in.set[m.Manifest.Namespace], m)
			}
		}
		if c.p.Options.Live == nil {
			return in
		}
		for _, e := range c.p.Options.Live.Entries {
			if len(e.Owners) > 0 || !mayRunPods(e.Kind) {
				continue
			}
			if _, inSet := c.set[e.ID()]; !inSet {
				in.live[e.Namespace] = append(in.live[e.Namespace], e)
			}
		}
		return in
	})
}

// templates are the pods and the makers of pods in a namespace.
func (c *cluster) templates(namespace string) []podTemplate {
	in := c.podMakers()
	return in.made.Get(namespace, func() (list []podTemplate) {
		for _, m := range in.set[namespace] {
			o := m.Object()
			list = append(list, podTemplate{known{m.Manifest, o.Before, afterApply(o), o.Result == nil}})
		}
		for _, e := range in.live[namespace] {
			o := e.Object()
			t := podTemplate{known{source: o, before: o.Tree, after: o.Tree}}
			if c.deleted[e.ID()] {
				t.known.after = nil
			}
			list = append(list, t)
		}
		return list
	})
}

// labelValues are the values of each label of the templates in a namespace after the apply, sorted.
func (c *cluster) labelValues(namespace string) map[string][]string {
	return c.podMakers().values.Get(namespace, func() map[string][]string {
		values := map[string][]string{}
		for _, t := range c.templates(namespace) {
			labels, _ := t.after()
			for key, v := range labels {
				if v, ok := v.(string); ok {
					values[key] = append(values[key], v)
				}
			}
		}
		for key, list := range values {
			values[key] = phrase.Distinct(list)
		}
		return values
	})
}

// selected yields the templates in a namespace whose labels before or after the apply
// a selector matches.
func (c *cluster) selected(namespace string, after bool, s selector.Selector) iter.Seq[podTemplate] {
	by, labels := &c.podMakers().before, podTemplate.before
	if after {
		by, labels = &c.podMakers().after, podTemplate.after
	}
	return by.Get(namespace, func() *selector.Index[podTemplate] {
		list := &selector.Index[podTemplate]{}
		for _, t := range c.templates(namespace) {
			l, _ := labels(t)
			list.Add(l, t)
		}
		return list
	}).Matching(s)
}

// podsChange reports whether a Service changes, or what makes pods beside it.
func (c *cluster) podsChange(o *lint.Object) bool {
	if o.Action != rehearsal.Unchanged || len(c.deleted) > 0 {
		return true
	}
	in := c.podMakers()
	return in.change.Get(o.Manifest.Namespace, func() bool {
		return slices.ContainsFunc(in.set[o.Manifest.Namespace], func(m lint.Member) bool { return m.Object().Action != rehearsal.Unchanged })
	})
}
