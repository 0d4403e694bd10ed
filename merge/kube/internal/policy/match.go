package policy

import (
	"slices"
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// match is whether a policy or a binding is for a request, and at which version.
type match struct {
	yes bool
	at  Resource
	// needs is what the answer depends on, if it is not known; yes is set then.
	needs string
}

// matches holds a request to matchConstraints or matchResources.
//
// Source: Matches of policy/matching/matching.go.
func (p *Policies) matches(constraints tree.Object, r *Request) match {
	inNamespace, known := p.matchesNamespace(tree.Map(constraints, "namespaceSelector"), r)
	if known && !inNamespace || !matchesObject(tree.Map(constraints, "objectSelector"), r) {
		return match{}
	}
	exact := tree.String(constraints, "matchPolicy") == "Exact"
	if excluded, _ := p.matchesRules(tree.List(constraints, "excludeResourceRules"), exact, r); excluded {
		return match{}
	}
	m := match{yes: true, at: r.Resource}
	if rules := tree.List(constraints, "resourceRules"); len(rules) > 0 {
		m.yes, m.at = p.matchesRules(rules, exact, r)
	}
	if m.yes && !known {
		m.needs = "Namespace " + r.Namespace
	}
	return m
}

// matchesNamespace follows webhook/predicates/namespace/matcher.go.
func (p *Policies) matchesNamespace(selector tree.Object, r *Request) (matches, known bool) {
	switch {
	case r.Namespace == "" && r.Plural != "namespaces", everything(selector):
		return true, true
	case r.Plural == "namespaces":
		return tree.Selects(selector, labels(r.subject())), true
	}
	namespace, known := p.world.Namespace(r.Namespace)
	if namespace == nil {
		return false, false
	}
	return tree.Selects(selector, labels(namespace)), known
}

// matchesObject follows webhook/predicates/object/matcher.go.
func matchesObject(selector tree.Object, r *Request) bool {
	return everything(selector) || tree.Selects(selector, labels(r.subject())) || r.Old != nil && tree.Selects(selector, labels(r.Old))
}

// everything reports whether a selector selects all. One that is missing counts
// for empty: the server sets that default.
func everything(selector tree.Object) bool {
	return len(tree.Map(selector, "matchLabels")) == 0 && len(tree.List(selector, "matchExpressions")) == 0
}

func labels(obj tree.Object) tree.Object { return tree.Map(obj, "metadata", "labels") }

// matchesRules finds the first rule for the request, first at its own version,
// then, unless the match is to be exact, at others that mean the same.
func (p *Policies) matchesRules(rules []any, exact bool, r *Request) (bool, Resource) {
	named := func(rule any) bool {
		names := tree.List(rule, "resourceNames")
		return len(names) == 0 || slices.Contains(names, any(r.Name))
	}
	for _, rule := range rules {
		if matchesRule(rule, r.Resource, r) && named(rule) {
			return true, r.Resource
		}
	}
	if exact || len(rules) == 0 {
		return false, Resource{}
	}
	for _, rule := range rules {
		for _, other := range p.equivalent(r.Kind) {
			if matchesRule(rule, other, r) && named(rule) {
				return true, other
			}
		}
	}
	return false, Resource{}
}

// matchesRule follows webhook/predicates/rules/rules.go; no request is for a
// subresource.
func matchesRule(rule any, at Resource, r *Request) bool {
	has := func(list, value string) bool {
		items := tree.List(rule, list)
		return slices.Contains(items, any("*")) || slices.Contains(items, any(value))
	}
	switch tree.String(rule, "scope") {
	case "Namespaced":
		if at.Kind == namespaceKind || r.Namespace == "" {
			return false
		}
	case "Cluster":
		if at.Kind != namespaceKind && r.Namespace != "" {
			return false
		}
	}
	return has("operations", r.operation()) && has("apiVersions", at.Version) && about(rule, at)
}

// about reports whether a rule is about a resource, in whatever version.
func about(rule any, at Resource) bool {
	groups := tree.List(rule, "apiGroups")
	return (slices.Contains(groups, any("*")) || slices.Contains(groups, any(at.Group))) &&
		slices.ContainsFunc(tree.List(rule, "resources"), func(entry any) bool {
			text, _ := entry.(string)
			resource, sub, _ := strings.Cut(text, "/")
			return (resource == "*" || resource == at.Plural) && (sub == "" || sub == "*")
		})
}

// equivalent lists the other versions of a kind, which is asked for with every
// request that a policy does not match.
func (p *Policies) equivalent(k schema.Kind) []Resource {
	return p.other.Get(k, func() []Resource { return p.world.Equivalent(k) })
}
