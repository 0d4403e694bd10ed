package rules

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/impact/setting"
	"threeway/merge/selector"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var networkPolicyWidens = &lint.Rule{
	ID:       "network-policy-widens",
	Title:    "a NetworkPolicy allows more connections",
	Text:     "Apply adds a peer, a port or a rule to a NetworkPolicy, widens an address range, no longer isolates a direction, or selects different pods, or pods get labels that it does not select, or --prune would delete the policy.",
	Why:      "A wider rule takes effect at once for all pods of the policy. Pods that no policy selects accept every connection.",
	Fix:      "Allow only the peers and ports that are needed. Before you remove a policy, add the one that replaces it.",
	Links:    []string{"https://kubernetes.io/docs/concepts/services-networking/network-policies/"},
	Severity: lint.Warning,
	Effect:   impact.Widens,
	Run: func(p *lint.Pass) {
		c := clusterOf(p)
		for o := range p.Accepted() {
			if w := c.leaving(o); w.text != "" {
				p.Report(o, lint.Report{Path: w.path, LivePath: w.path, Message: w.text, Fix: "keep the label, or first let the policy select the new pods too"})
			}
			if !o.Is(networkPolicy) || o.Live == nil {
				continue
			}
			for _, w := range c.widenings(o) {
				if !departed(p, o, w.path) && !departsIn(p, o, w.path) {
					p.Report(o, lint.Report{Path: w.path, LivePath: w.path, Message: w.text, Fix: "keep what the live policy has if the pods need no more connections"})
				}
			}
		}
		for _, c := range p.Plan.Prune.Pruned() {
			if c.Live.Kind.GroupKind() == networkPolicy {
				p.ReportAt(c.Live.Object(), lint.Report{
					Message: deleting(p) + c.Live.ID().String() + ": connections that it blocks today are allowed, unless another policy selects the pods",
					Notes:   []string{c.Why}, Fix: "apply the policy that replaces it in the same run",
				})
			}
		}
	},
}

const networkPolicy = "NetworkPolicy.networking.k8s.io"

// widening is one way in which a policy lets more through.
type widening struct {
	path fieldpath.Path
	text string
}

func (c *cluster) widenings(o *lint.Object) (list []widening) {
	if numbered := c.p.Impact().ByNumber(o.Outcome); numbered != o.Outcome {
		o = &lint.Object{Outcome: numbered}
	}
	selects := fieldpath.New("spec", "podSelector")
	was, _ := o.Find(selects, o.Before)
	now, _ := o.Find(selects, o.Result)
	if pods := c.opened(o, tree.Map(was), tree.Map(now)); pods != "" {
		return []widening{{selects, fmt.Sprintf("the policy selects %s instead of %s: %s", selectorText(now), selectorText(was), pods)}}
	}
	for _, d := range []struct{ policyType, field, peers, text string }{
		{"Ingress", "ingress", "from", "%s may connect to the pods"},
		{"Egress", "egress", "to", "the pods may connect to %s"},
	} {
		types := fieldpath.New("spec", "policyTypes")
		if !isolates(o.Before, d.policyType) {
			continue
		}
		if !isolates(o.Result, d.policyType) {
			list = append(list, widening{types, fmt.Sprintf("the policy no longer restricts %s: %s, unless another policy selects them", strings.ToLower(d.policyType), fmt.Sprintf(d.text, "everything"))})
			continue
		}
		if impact.MeansSame(o.Outcome, fieldpath.New("spec", d.field)) {
			continue
		}
		before := newAllowed(tree.List(o.Before, "spec", d.field), d.peers)
		for i, rule := range tree.List(o.Result, "spec", d.field) {
			peers, ports := before.newly(rule)
			if before.tooMany() {
				list = append(list, widening{fieldpath.New("spec", d.field), "the policy may allow more connections: its peers and ports are too many to compare them with those of the live policy"})
				break
			}
			if peers != nil {
				path := fieldpath.New("spec", d.field).Item(i)
				list = append(list, widening{path, fmt.Sprintf("the policy allows more connections: %s%s", fmt.Sprintf(d.text, phrase.Some(peers)), atPorts(ports))})
			}
		}
	}
	return list
}

// opened names the pods that a policy isolates today and, with another selector, does
// not, nor any other policy; "" if there are none. In a namespace of which no pods are
// known there may be some.
func (c *cluster) opened(o *lint.Object, was, now tree.Object) string {
	if narrower(now, was) {
		return ""
	}
	today, ok := impact.Selector(was)
	then, ok2 := impact.Selector(now)
	if !ok && len(was) > 0 || !ok2 || len(c.templates(o.Manifest.Namespace)) == 0 {
		return "pods that it isolates today are open, unless another policy selects them"
	}
	var names []string
	for t := range c.selected(o.Manifest.Namespace, false, today) {
		_, spec := t.before()
		after, stays := t.after()
		if spec != nil && stays != nil && !then.Matches(after) && !c.isolatedByOthers(o, after) {
			names = append(names, t.source.Kind.Kind+" "+t.source.Name)
		}
	}
	if names == nil {
		return ""
	}
	return "the pods of " + phrase.Some(names) + ", which it isolates today, are open"
}

// selecting yields the objects of a kind in a namespace, NetworkPolicies or budgets, that after the
// apply select pods with labels.
func (c *cluster) selecting(kind, namespace string, labels tree.Object) iter.Seq[known] {
	type in struct{ kind, namespace string }
	return lint.SharedByRun(c.p, func() map[in]*selector.Asking[known] {
		all := map[in]*selector.Asking[known]{}
		for kind, field := range map[string]string{networkPolicy: "podSelector", budget: "selector"} {
			for k := range c.ofKind(kind) {
				selects := tree.Map(k.after, "spec", field)
				s, ok := impact.Selector(selects)
				if k.after == nil || !ok && len(selects) > 0 {
					continue
				}
				of := in{kind, k.source.Namespace}
				if all[of] == nil {
					all[of] = &selector.Asking[known]{}
				}
				all[of].Add(s, k)
			}
		}
		return all
	})[in{kind, namespace}].Of(labels)
}

// leaving is the label whose change takes the pods of a workload out of the policies that isolate
// them; it has no text if others isolate them.
func (c *cluster) leaving(o *lint.Object) (w widening) {
	was, is := podLabels(o.Before, o.Kind.Kind), podLabels(o.Result, o.Kind.Kind)
	if was == nil || is == nil || tree.Equal(was, is) {
		return w
	}
	var names, open []string
	for _, direction := range []string{"Ingress", "Egress"} {
		var by []string
		for k := range c.selecting(networkPolicy, o.Manifest.Namespace, was) {
			if s, _ := impact.Selector(tree.Map(k.after, "spec", "podSelector")); isolates(k.before, direction) && isolates(k.after, direction) && !s.Matches(is) {
				by = append(by, k.source.Name)
				for _, r := range s {
					if was[r.Key] != is[r.Key] {
						w.path = fieldpath.New("spec", "template", "metadata", "labels", r.Key)
					}
				}
			}
		}
		for k := range c.selecting(networkPolicy, o.Manifest.Namespace, is) {
			if isolates(k.after, direction) {
				by = nil
			}
		}
		if by != nil {
			names, open = phrase.Distinct(append(names, by...)), append(open, map[string]string{"Ingress": "everything may connect to them", "Egress": "they may connect to everything"}[direction])
		}
	}
	if open != nil {
		w.text = fmt.Sprintf("new pods leave NetworkPolicy %s: %s", phrase.Some(names), strings.Join(open, ", and "))
	}
	return w
}

// isolatedByOthers reports whether other policies isolate pods after the apply in all
// directions in which a policy does today.
func (c *cluster) isolatedByOthers(o *lint.Object, labels tree.Object) bool {
	open := map[string]bool{}
	for _, direction := range []string{"Ingress", "Egress"} {
		open[direction] = isolates(o.Before, direction)
	}
	for k := range c.selecting(networkPolicy, o.Manifest.Namespace, labels) {
		if k.source.Name == o.Manifest.Name {
			continue
		}
		for direction := range open {
			open[direction] = open[direction] && !isolates(k.after, direction)
		}
	}
	return !open["Ingress"] && !open["Egress"]
}

func isolates(policy tree.Object, policyType string) bool {
	return slices.Contains(tree.List(policy, "spec", "policyTypes"), any(policyType))
}

// peerHolds compares selectors and address ranges by what they say: one selector
// may select less than another in ways that only the labels show.
func peerHolds(inner any, compared *int) func(outer any) bool {
	b, except := tree.String(inner, "ipBlock", "cidr"), rangesOf(tree.List(inner, "ipBlock", "except"))
	return func(outer any) bool {
		a := tree.String(outer, "ipBlock", "cidr")
		if a != "" && b != "" {
			return setting.HoldsRange(a, b) && !slices.ContainsFunc(tree.List(outer, "ipBlock", "except"), func(x any) bool {
				*compared++
				gap := fmt.Sprint(x)
				return (setting.HoldsRange(gap, b) || setting.HoldsRange(b, gap)) && !except.hold(gap)
			})
		}
		pods := narrower(tree.Map(outer, "podSelector"), tree.Map(inner, "podSelector"))
		x, hasX := tree.Get(outer, "namespaceSelector")
		y, hasY := tree.Get(inner, "namespaceSelector")
		everywhere := hasX && len(tree.Map(x)) == 0
		return a == b && pods && (everywhere || hasX == hasY && narrower(tree.Map(x), tree.Map(y)))
	}
}

// narrower reports whether a selector asks for all that another does.
func narrower(outer, inner tree.Object) bool {
	a, ok := impact.Selector(outer)
	b, ok2 := impact.Selector(inner)
	return (ok || len(outer) == 0) && (ok2 || len(inner) == 0) && b.Implies(a)
}

func portHolds(inner any, _ *int) func(outer any) bool {
	return func(outer any) bool { return setting.HoldsPort(outer, inner) }
}

func selectorText(v any) string {
	if len(tree.Map(v)) == 0 {
		return "all pods"
	}
	return lint.Value(v)
}

func peerText(peer any) string {
	pods, hasPods := tree.Get(peer, "podSelector")
	spaces, hasSpaces := tree.Get(peer, "namespaceSelector")
	namespaces := "namespaces " + lint.Value(spaces)
	if len(tree.Map(spaces)) == 0 {
		namespaces = "every namespace"
	}
	switch {
	case peer == nil:
		return "everything"
	case tree.Has(peer, "ipBlock"):
		if except := tree.List(peer, "ipBlock", "except"); len(except) > 0 {
			return tree.String(peer, "ipBlock", "cidr") + " except " + joined(except)
		}
		return tree.String(peer, "ipBlock", "cidr")
	case hasPods && hasSpaces:
		return "pods " + lint.Value(pods) + " of " + namespaces
	case hasSpaces:
		return "pods of " + namespaces
	case len(tree.Map(pods)) == 0:
		return "all pods of the namespace"
	}
	return "pods " + lint.Value(pods)
}

func portText(port any) string {
	v, ok := tree.Get(port, "port")
	if !ok {
		return tree.String(port, "protocol")
	}
	text := fmt.Sprint(v)
	if last, ok := tree.Int(port, "endPort"); ok {
		text += fmt.Sprintf("-%d", last)
	}
	return text
}

func atPorts(ports []string) string {
	if ports == nil {
		return ""
	}
	return " at port " + phrase.Some(ports)
}
