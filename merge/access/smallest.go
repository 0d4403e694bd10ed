package access

import (
	"maps"
	"slices"

	"threeway/merge/tree"
)

// SmallestRoles returns the smallest roles that give all that roles give, one for each
// namespace and one for the cluster.
func SmallestRoles(roles []tree.Object) (list []tree.Object) {
	rules := map[string][]Rule{}
	for _, role := range roles {
		namespace := tree.String(role, "metadata", "namespace")
		rules[namespace] = append(rules[namespace], RulesOf(role)...)
	}
	for _, namespace := range slices.Sorted(maps.Keys(rules)) {
		list = append(list, Smallest(namespace, Merged(rules[namespace])...))
	}
	return list
}

// Smallest returns the smallest role that gives rules in a namespace, or in the cluster.
func Smallest(namespace string, rules ...Rule) tree.Object {
	role := tree.Object{"apiVersion": Group + "/v1", "kind": "ClusterRole", "metadata": tree.Object{"name": "apply"}}
	if namespace != "" {
		role["kind"], role["metadata"] = "Role", tree.Object{"name": "apply", "namespace": namespace}
	}
	var list []any
	for _, r := range rules {
		list = append(list, r.Object())
	}
	role["rules"] = list
	return role
}
