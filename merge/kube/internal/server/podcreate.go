package server

import (
	"strings"

	"threeway/merge/kube/internal/defaults"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// preparePod is what the registry does to a new Pod
// (pkg/registry/core/pod/strategy.go PrepareForCreate): it gets a status, label
// keys of affinity and spreading become selector expressions, AppArmor
// annotations become fields.
func preparePod(pod tree.Object, minor int) {
	spec := tree.Map(pod, "spec")
	podLabels := tree.Map(pod, "metadata", "labels")
	for _, kind := range []string{"podAffinity", "podAntiAffinity"} {
		for _, t := range tree.List(spec, "affinity", kind, "preferredDuringSchedulingIgnoredDuringExecution") {
			matchLabelKeys(tree.Map(t, "podAffinityTerm"), podLabels)
		}
		for _, t := range tree.List(spec, "affinity", kind, "requiredDuringSchedulingIgnoredDuringExecution") {
			matchLabelKeys(tree.Map(t), podLabels)
		}
	}
	if minors.SpreadKeysMerge.In(minor) {
		for _, c := range tree.List(spec, "topologySpreadConstraints") {
			matchLabelKeys(tree.Map(c), podLabels)
		}
	}
	if tree.String(spec, "os", "name") != "windows" {
		for _, list := range []string{"initContainers", "containers", "ephemeralContainers"} {
			for _, c := range tree.List(spec, list) {
				appArmor(pod, tree.Map(c))
			}
		}
	}
	if minors.PodLevelDefaultsLast.In(minor) {
		defaults.PodLevel(spec)
	}
	pod["status"] = newPodStatus(pod, minor)
}

// keepPodResources gives a Pod the pod-level resources that an update leaves out
// (pkg/registry/core/pod/strategy.go PrepareForUpdate).
func keepPodResources(pod, old tree.Object, minor int) {
	if minors.PodLevelDefaultsLast.In(minor) {
		if resources := tree.Map(old, "spec", "resources"); resources != nil && !tree.Has(pod, "spec", "resources") {
			tree.Set(pod, tree.CopyObject(resources), "spec", "resources")
		}
	}
}

// newPodStatus is the status of a new Pod, which says so if the Pod waits at a
// scheduling gate (applySchedulingGatedCondition). Since when is not known.
func newPodStatus(pod tree.Object, minor int) tree.Object {
	status := tree.Object{"phase": "Pending", "qosClass": qosClass(pod, minor)}
	if len(tree.List(pod, "spec", "schedulingGates")) > 0 {
		status["conditions"] = []any{tree.Object{
			"type": "PodScheduled", "status": "False", "reason": "SchedulingGated", "lastProbeTime": nil,
			"message": "Scheduling is blocked due to non-empty scheduling gates",
		}}
	}
	return status
}

// matchLabelKeys adds an expression for each label of the pod that the term
// names (applyLabelKeysToLabelSelector).
func matchLabelKeys(term, podLabels tree.Object) {
	selector := tree.Map(term, "labelSelector")
	if selector == nil {
		return
	}
	for _, k := range []struct{ field, operator string }{{"matchLabelKeys", "In"}, {"mismatchLabelKeys", "NotIn"}} {
		for _, key := range tree.List(term, k.field) {
			name, _ := key.(string)
			if value, ok := podLabels[name]; ok {
				selector["matchExpressions"] = append(tree.List(selector, "matchExpressions"),
					tree.Object{"key": name, "operator": k.operator, "values": []any{value}})
			}
		}
	}
}

// appArmor copies the container's AppArmor annotation to its field, unless the
// pod's own profile says the same.
func appArmor(pod, container tree.Object) {
	text := tree.String(pod, "metadata", "annotations", "container.apparmor.security.beta.kubernetes.io/"+tree.String(container, "name"))
	if text == "" || tree.Has(container, "securityContext", "appArmorProfile") {
		return
	}
	var profile tree.Object
	switch local, isLocal := strings.CutPrefix(text, "localhost/"); {
	case text == "unconfined":
		profile = tree.Object{"type": "Unconfined"}
	case text == "runtime/default":
		profile = tree.Object{"type": "RuntimeDefault"}
	case isLocal && local != "":
		profile = tree.Object{"type": "Localhost", "localhostProfile": local}
	default:
		return
	}
	if !tree.Equal(profile, tree.Map(pod, "spec", "securityContext", "appArmorProfile")) {
		tree.Set(container, profile, "securityContext", "appArmorProfile")
	}
}

// prepareNode is what admission does to a new Node: TaintNodesByCondition
// taints it as not ready.
func prepareNode(node tree.Object, _ int) {
	spec := tree.Map(node, "spec")
	const notReady = "node.kubernetes.io/not-ready"
	for _, t := range tree.List(spec, "taints") {
		if tree.String(t, "key") == notReady && tree.String(t, "effect") == "NoSchedule" {
			return
		}
	}
	tree.Set(node, append(tree.List(spec, "taints"), tree.Object{"key": notReady, "effect": "NoSchedule"}), "spec", "taints")
}
