package quota

import (
	"slices"

	"threeway/merge/tree"
)

// scope is one condition on the objects that a quota counts.
type scope struct {
	name, operator string
	values         []any
}

// scopesOf are those in the spec of a quota.
func scopesOf(spec tree.Object) []scope {
	var scopes []scope
	for _, name := range tree.List(spec, "scopes") {
		scopes = append(scopes, scope{name: tree.String(name), operator: "Exists"})
	}
	for _, e := range tree.List(spec, "scopeSelector", "matchExpressions") {
		scopes = append(scopes, scope{tree.String(e, "scopeName"), tree.String(e, "operator"), tree.List(e, "values")})
	}
	return scopes
}

// selects compares the values of an object, none or one or several, with the
// scope's own, as a label selector would.
func (s scope) selects(names ...string) bool {
	among := slices.ContainsFunc(names, func(name string) bool { return slices.Contains(s.values, any(name)) })
	switch s.operator {
	case "Exists":
		return len(names) > 0
	case "DoesNotExist":
		return len(names) == 0
	case "In":
		return among
	case "NotIn":
		return len(names) == 0 || slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(s.values, any(name)) })
	}
	return false
}

// set drops empty names.
func set(names ...string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// podInScope follows podMatchesScopeFunc of evaluator/core/pods.go.
func podInScope(s scope, pod tree.Object) bool {
	switch s.name {
	case "Terminating":
		return terminating(pod)
	case "NotTerminating":
		return !terminating(pod)
	case "BestEffort":
		return tree.String(pod, "status", "qosClass") == "BestEffort"
	case "NotBestEffort":
		return tree.String(pod, "status", "qosClass") != "BestEffort"
	case "PriorityClass":
		return s.selects(set(tree.String(pod, "spec", "priorityClassName"))...)
	case "CrossNamespacePodAffinity":
		return crossesNamespaces(pod)
	}
	return false
}

// crossesNamespaces reports whether a term of affinity looks at other
// namespaces.
func crossesNamespaces(pod tree.Object) bool {
	crosses := func(term tree.Object) bool {
		return len(tree.List(term, "namespaces")) > 0 || tree.Map(term, "namespaceSelector") != nil
	}
	for _, kind := range []string{"podAffinity", "podAntiAffinity"} {
		affinity := tree.Map(pod, "spec", "affinity", kind)
		for _, t := range tree.List(affinity, "requiredDuringSchedulingIgnoredDuringExecution") {
			if crosses(tree.Map(t)) {
				return true
			}
		}
		for _, t := range tree.List(affinity, "preferredDuringSchedulingIgnoredDuringExecution") {
			if crosses(tree.Map(t, "podAffinityTerm")) {
				return true
			}
		}
	}
	return false
}

// claimInScope follows pvcMatchesScopeFunc of
// evaluator/core/persistent_volume_claims.go: the class that a claim asks for,
// has, and is on its way to.
func claimInScope(s scope, claim tree.Object) bool {
	return s.name == "VolumeAttributesClass" && s.selects(set(
		tree.String(claim, "spec", "volumeAttributesClassName"),
		tree.String(claim, "status", "currentVolumeAttributesClassName"),
		tree.String(claim, "status", "modifyVolumeStatus", "targetVolumeAttributesClassName"))...)
}
