package podsecurity

import (
	"fmt"
	"slices"

	"threeway/merge/tree"
)

// Tightened reports whether the labels of a Namespace enforce something else
// than before, so that the server looks at the Pods that are there: not if
// they enforce nothing, nor if only the level is lower.
//
// Source: ValidateNamespace of package admission.
func Tightened(labels, before tree.Object) bool {
	now, _ := Of(labels)
	was, _ := Of(before)
	switch {
	case now.Enforce == was.Enforce, now.Enforce.Level == Privileged:
		return false
	case now.Enforce.Version == was.Enforce.Version:
		return now.Enforce.Level.Stricter(was.Enforce.Level)
	}
	return true
}

// Existing are the warnings about Pods of a namespace that violate a standard
// which it is about to enforce; pods are all that it has.
//
// Source: EvaluatePodsInNamespace of package admission, which checks no
// longer than a second.
func Existing(namespace string, s Standard, minor int, pods []tree.Object) []string {
	violating := map[string][]string{} // names of Pods by what they violate
	all := len(pods)
	if all > mostChecked {
		pods = oneOfEachFirst(pods)[:mostChecked]
	}
	for _, pod := range pods {
		if v := Evaluate(s, minor, pod); v != nil {
			violating[v.Reasons()] = append(violating[v.Reasons()], tree.String(pod, "metadata", "name"))
		}
	}
	var head, warnings []string
	if len(pods) < all {
		head = append(head, fmt.Sprintf("new PodSecurity enforce level only checked against the first %d of %d existing pods", len(pods), all))
	}
	if len(violating) > 0 {
		head = append(head, fmt.Sprintf("existing pods in namespace %q violate the new PodSecurity enforce level %q", namespace, s))
	}
	for reasons, names := range violating {
		warnings = append(warnings, some(names)+": "+reasons)
	}
	slices.Sort(warnings)
	return append(head, warnings...)
}

// mostChecked is how many Pods of a namespace the server looks at
// (defaultNamespaceMaxPodsToCheck).
const mostChecked = 3000

// oneOfEachFirst has Pods without a controller and one Pod of each controller
// before the others (prioritizePods).
func oneOfEachFirst(pods []tree.Object) []tree.Object {
	var first, others []tree.Object
	seen := map[string]bool{}
	for _, pod := range pods {
		owner := controller(pod)
		if owner != "" && seen[owner] {
			others = append(others, pod)
			continue
		}
		seen[owner] = true
		first = append(first, pod)
	}
	return append(first, others...)
}

// controller is the uid of the owner that controls the Pod.
func controller(pod tree.Object) string {
	for _, o := range tree.List(pod, "metadata", "ownerReferences") {
		if tree.Bool(o, "controller") {
			return tree.String(o, "uid")
		}
	}
	return ""
}

// some names the first of the Pods and says how many others there are.
func some(names []string) string {
	first := slices.Min(names)
	switch others := len(names) - 1; others {
	case 0:
		return first
	case 1:
		return first + " (and 1 other pod)"
	default:
		return fmt.Sprintf("%s (and %d other pods)", first, others)
	}
}
