package workflow

import (
	"slices"
	"strings"

	"threeway/merge/tree"
)

// filledInPod lists what admission chose for a Pod of its own, and would choose
// again: the priority, the service account of the namespace, and the patience
// with nodes that are not ready. A list of tolerations that has others too is
// applied as a whole, and stays.
func filledInPod(pod tree.Object) [][]string {
	paths := [][]string{{"spec", "nodeName"}, {"spec", "priority"}}
	if tree.String(pod, "spec", "preemptionPolicy") == "PreemptLowerPriority" || tree.Has(pod, "spec", "priorityClassName") {
		paths = append(paths, []string{"spec", "preemptionPolicy"})
	}
	if tree.String(pod, "spec", "serviceAccountName") == "default" {
		paths = append(paths, []string{"spec", "serviceAccountName"}, []string{"spec", "serviceAccount"})
	}
	if !slices.ContainsFunc(tree.List(pod, "spec", "tolerations"), func(t any) bool { return !patience(t) }) {
		paths = append(paths, []string{"spec", "tolerations"})
	}
	return paths
}

// patience reports whether a toleration is one that the admission plugin
// DefaultTolerationSeconds adds.
func patience(toleration any) bool {
	key := tree.String(toleration, "key")
	seconds, _ := tree.Int(toleration, "tolerationSeconds")
	return (key == "node.kubernetes.io/not-ready" || key == "node.kubernetes.io/unreachable") &&
		tree.String(toleration, "operator") == "Exists" && tree.String(toleration, "effect") == "NoExecute" && seconds == 300
}

// dropToken takes out of a Pod the volume with the token of its service
// account, which the admission plugin ServiceAccount mounts into each container
// under a name of chance.
func dropToken(pod, last tree.Object) {
	spec := tree.Map(pod, "spec")
	token := func(volume any) bool {
		name := tree.String(volume, "name")
		return strings.HasPrefix(name, "kube-api-access-") && tree.Has(volume, "projected") &&
			!slices.ContainsFunc(tree.List(last, "spec", "volumes"), func(v any) bool { return tree.String(v, "name") == name })
	}
	var gone []string
	for _, v := range tree.List(spec, "volumes") {
		if token(v) {
			gone = append(gone, tree.String(v, "name"))
		}
	}
	dropItems(spec, "volumes", token)
	for _, kind := range []string{"containers", "initContainers", "ephemeralContainers"} {
		for _, c := range tree.List(spec, kind) {
			dropItems(tree.Map(c), "volumeMounts", func(mount any) bool { return slices.Contains(gone, tree.String(mount, "name")) })
		}
	}
}

// dropItems takes items out of the list in a field, and the field if it is empty
// then.
func dropItems(obj tree.Object, field string, gone func(item any) bool) {
	list := tree.List(obj, field)
	left := slices.DeleteFunc(slices.Clone(list), gone)
	switch {
	case len(left) == len(list):
	case len(left) == 0:
		delete(obj, field)
	default:
		obj[field] = left
	}
}
