package rules

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/tree"
)

// shutOut yields the labels whose change shuts the pods of a workload out from what NetworkPolicies let
// them connect to, each with the name of the policy.
func (c *cluster) shutOut(o *lint.Object) (list []widening) {
	was, is := podLabels(o.Before, o.Kind.Kind), podLabels(o.Result, o.Kind.Kind)
	if was == nil || is == nil || tree.Equal(was, is) {
		return nil
	}
	for k := range c.ofKind(networkPolicy) {
		if k.source.Namespace != o.Manifest.Namespace || k.after == nil || letsIn(k.after, is, true) != nil {
			continue
		}
		peer := letsIn(k.after, was, false)
		if peer == nil || letsIn(k.before, was, false) == nil || c.letInByOthers(k, is) {
			continue
		}
		selects, _ := impact.Selector(tree.Map(peer, "podSelector"))
		for _, r := range selects {
			if was[r.Key] != is[r.Key] {
				list = append(list, widening{fieldpath.New("spec", "template", "metadata", "labels", r.Key), k.source.Name})
				break
			}
		}
	}
	return list
}

// letInByOthers reports whether another policy for the same pods lets pods with labels connect.
func (c *cluster) letInByOthers(policy known, labels tree.Object) bool {
	for k := range c.ofKind(networkPolicy) {
		if k.source.ID() != policy.source.ID() && k.source.Namespace == policy.source.Namespace && letsIn(k.after, labels, true) != nil &&
			narrower(tree.Map(k.after, "spec", "podSelector"), tree.Map(policy.after, "spec", "podSelector")) {
			return true
		}
	}
	return false
}

// letsIn is the peer of a policy that lets pods of its namespace with labels connect; nil if there is
// none. Peers of namespaces count if they may be meant to, too.
func letsIn(policy, labels tree.Object, maybe bool) tree.Object {
	for _, rule := range tree.List(policy, "spec", "ingress") {
		for _, peer := range orAll(tree.List(rule, "from")) {
			s, _ := impact.Selector(tree.Map(peer, "podSelector"))
			switch m := tree.Map(peer); {
			case m == nil: // all
				return tree.Object{}
			case m["ipBlock"] == nil && (maybe || m["namespaceSelector"] == nil) && s.Matches(labels):
				return m
			}
		}
	}
	return nil
}
