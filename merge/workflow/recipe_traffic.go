package workflow

import (
	"maps"
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

// moveTraffic changes the labels of pods and the selector of their Service.
var moveTraffic = &Recipe{
	ID:    "move-traffic",
	Title: "Change the labels of pods together with the selector of their Service",
	Text: "The selector of a Service takes effect at once, the labels of pods with the rollout. So in the first apply the Service selects by what old and new " +
		"pods have in common, or, where that is nothing, the new pods have the old labels besides. When the rollout has ended, the manifests are applied as they are.",
	Rules: []string{"selector-races-rollout"},
	Links: []string{"https://github.com/envoyproxy/gateway/issues/7309", "https://github.com/stakater/application/issues/408"},
	Make: func(c *Case) []Step {
		s := c.services[0]
		if tree.Equal(any(s.was), any(s.now)) {
			return nil
		}
		between := Step{Applies: true, Text: "Apply with another selector of the Service, and wait for the new pods",
			Meanwhile: "the Service selects old and new pods, and no others"}
		for _, o := range c.beside {
			between.Commands = append(between.Commands, wait(o))
		}
		if common := c.common(s); common != nil {
			between.Edits = []Edited{selecting(s, common)}
			return []Step{between, {Applies: true, Text: "Apply the manifests as they are, now that all pods have the new labels"}}
		}
		between.Text = "Apply with the old selector of the Service and with the old labels besides the new ones, and wait for the new pods"
		between.Meanwhile = "the Service selects old and new pods by the old labels"
		then := Step{Applies: true, Text: "Apply with the new selector; the pods keep both labels"}
		for _, o := range c.beside {
			edits := withLabels(o.Tree, s.was)
			if edits == nil {
				return c.none("the same label has another value, and nothing else tells the pods of the Service from others")
			}
			then.Edits = append(then.Edits, Edited{Manifest: o, Edits: edits})
		}
		between.Edits = append([]Edited{selecting(s, s.was)}, then.Edits...)
		return []Step{between, then, {Applies: true, Text: "Apply the manifests as they are, and wait until no pod has the old labels", Commands: between.Commands}}
	},
}

// common is what a Service may select by so that it selects its pods of today and those of
// then, and no pods of others: what both selectors ask for, or the labels that its pods have
// and keep; nil if there is nothing.
func (c *Case) common(s *service) tree.Object {
	both := shared(s.was, s.now)
	if c.only(both, s) {
		return both
	}
	both = nil
	for _, o := range c.beside {
		live := c.live.Find(o.ID())
		if live == nil {
			return nil
		}
		kept := shared(podLabels(live.Tree), podLabels(o.Tree))
		if both == nil {
			both = kept
		}
		both = shared(both, kept)
	}
	if c.only(both, s) {
		return both
	}
	return nil
}

// shared are the labels of one that another has with the same value.
func shared(a, b tree.Object) tree.Object {
	both := tree.Object{}
	for key, value := range a {
		if b[key] == value {
			both[key] = value
		}
	}
	return both
}

// only reports whether a selector selects pods, and none that the Service selects neither today
// nor in the end.
func (c *Case) only(by tree.Object, s *service) bool {
	if len(by) == 0 {
		return false
	}
	for _, o := range c.running()[c.Manifest.Namespace] {
		labels := podLabels(o.Tree)
		if o.Kind.GroupKind() == "Pod" {
			labels = tree.Map(o.Tree, "metadata", "labels")
		}
		if selects(by, labels) && !selects(s.was, labels) {
			return false
		}
	}
	for _, o := range c.manifests()[c.Manifest.Namespace] {
		if labels := podLabels(o.Tree); selects(by, labels) && !selects(s.now, labels) {
			return false
		}
	}
	return true
}

// selecting is the manifest of a Service with another selector.
func selecting(s *service, by tree.Object) Edited {
	return Edited{Manifest: s.manifest, Edits: toward(fieldpath.New("spec", "selector"), s.now, by)}
}

// toward are the edits that make of texts by name others.
func toward(at fieldpath.Path, now, then tree.Object) (edits []edit.Edit) {
	for _, key := range tree.Keys(now) {
		if _, stays := then[key]; !stays {
			edits = append(edits, edit.Remove(at.Join(fieldpath.New(key))))
		}
	}
	for _, key := range tree.Keys(then) {
		if now[key] != then[key] {
			edits = append(edits, edit.Set(at.Join(fieldpath.New(key)), then[key]))
		}
	}
	return edits
}

// withLabels are the edits that give the pods of a workload other labels besides; nil if it
// has one of these with another value.
func withLabels(obj, more tree.Object) []edit.Edit {
	have := podLabels(obj)
	all := maps.Clone(have)
	for key, value := range more {
		if was, set := have[key]; set && was != value {
			return nil
		}
		all[key] = value
	}
	return toward(fieldpath.New("spec", "template", "metadata", "labels"), have, all)
}

// holding are the Services with a selector that keeps their pods of today until new ones
// are ready, where the wanted one does not. With together, old pods go while new ones come.
func (c *Case) holding(was, now tree.Object, together bool) (list []Edited) {
	for _, s := range c.services {
		if s.manifest == nil || !selects(s.was, was) || selects(s.now, was) {
			continue
		}
		by := s.was
		if together && !selects(by, now) {
			by = c.common(s)
		}
		if by != nil {
			list = append(list, selecting(s, by))
		}
	}
	return slices.Clip(list)
}
