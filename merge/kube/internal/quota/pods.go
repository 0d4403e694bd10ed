package quota

import (
	"maps"
	"slices"
	"strings"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// computed are the resources of containers that a quota counts by name; of
// others, it counts huge pages and extended resources.
var computed = []string{"cpu", "memory", "ephemeral-storage"}

// pods follows evaluator/core/pods.go.
func pods(minor int) *evaluator {
	return &evaluator{
		updates: func(r Request) bool { return terminating(r.Object) != terminating(r.Old) },
		counts:  countsPod,
		matches: podInScope,
		required: func(names []string, pod tree.Object) string {
			if minors.PodLevelResources.In(minor) && hasOwnResources(pod) {
				return ""
			}
			return missing(names, pod)
		},
		usage: func(pod tree.Object) Amounts { return podUsage(pod, minor) },
	}
}

func countsPod(name string) bool {
	const requests, classes = "requests.", "requests.deviceclass.resource.kubernetes.io/"
	plain := strings.TrimPrefix(strings.TrimPrefix(name, requests), "limits.")
	switch {
	case name == "pods", name == "count/pods", slices.Contains(computed, plain):
		return true
	case strings.HasPrefix(name, "hugepages-"), strings.HasPrefix(name, requests+"hugepages-"), strings.HasPrefix(name, classes):
		return true
	}
	return strings.HasPrefix(name, requests) && !native(name)
}

// native reports whether a resource is one of Kubernetes' own.
func native(name string) bool {
	return !strings.Contains(name, "/") || strings.Contains(name, "kubernetes.io/")
}

func terminating(pod tree.Object) bool {
	seconds, set := tree.Int(pod, "spec", "activeDeadlineSeconds")
	return set && seconds >= 0
}

// hasOwnResources reports whether resources are set for the Pod as a whole.
func hasOwnResources(pod tree.Object) bool {
	own := tree.Map(pod, "spec", "resources")
	return slices.ContainsFunc(append(tree.Keys(tree.Map(own, "requests")), tree.Keys(tree.Map(own, "limits"))...), ofPod)
}

// ofPod reports whether a resource may be set for a Pod as a whole.
func ofPod(name string) bool {
	return name == "cpu" || name == "memory" || strings.HasPrefix(name, "hugepages-")
}

// missing says which containers do not set cpu and memory though a quota counts
// them.
func missing(names []string, pod tree.Object) string {
	var faults []string
	for _, name := range names {
		plain := strings.TrimPrefix(strings.TrimPrefix(name, "requests."), "limits.")
		if plain != "cpu" && plain != "memory" {
			continue
		}
		var containers []string
		for _, c := range slices.Concat(tree.List(pod, "spec", "containers"), tree.List(pod, "spec", "initContainers")) {
			if _, set := computedUsage(listOf(c, "requests"), listOf(c, "limits"))[name]; !set {
				containers = append(containers, tree.String(c, "name"))
			}
		}
		if len(containers) > 0 {
			slices.Sort(containers)
			faults = append(faults, name+" for: "+strings.Join(slices.Compact(containers), ","))
		}
	}
	if len(faults) == 0 {
		return ""
	}
	return "must specify " + strings.Join(faults, "; ")
}

func listOf(container any, list string) Amounts {
	return amounts(tree.Map(container, "resources", list))
}

// podUsage is what a Pod uses; of one that has ended only itself counts.
func podUsage(pod tree.Object, minor int) Amounts {
	a := ones("count/pods")
	if phase := tree.String(pod, "status", "phase"); phase == "Failed" || phase == "Succeeded" {
		return a
	}
	a.add(computedUsage(podAmounts(pod, "requests", minor), podAmounts(pod, "limits", minor)))
	return a
}

// computedUsage gives requests and limits the names that quotas have for them
// (podComputeUsageHelper).
func computedUsage(requests, limits Amounts) Amounts {
	a := ones("pods")
	for name, q := range requests {
		switch {
		case slices.Contains(computed, name), strings.HasPrefix(name, "hugepages-"):
			a[name], a["requests."+name] = q, q
		case !native(name), strings.HasPrefix(name, "deviceclass.resource.kubernetes.io/"):
			a["requests."+name] = q
		}
	}
	for name, q := range limits {
		if slices.Contains(computed, name) {
			a["limits."+name] = q
		}
	}
	return a
}

// podAmounts are those of a Pod with its overhead (PodRequests and PodLimits of
// component-helpers/resource).
func podAmounts(pod tree.Object, list string, minor int) Amounts {
	sum := OfPod(pod, list, minor)
	overhead := amounts(tree.Map(pod, "spec", "overhead"))
	if list == "limits" {
		overhead = overhead.named(func(name string) bool { q := sum[name]; return !q.IsZero() })
	}
	sum.add(overhead)
	return sum
}

// OfPod is what a Pod requests, or is limited to: the sum of containers
// and sidecars, or what an init container needs beside the sidecars before it,
// if that is more; what is set for the Pod as a whole takes its place.
func OfPod(pod tree.Object, list string, minor int) Amounts {
	sum, sidecars, initial := Amounts{}, Amounts{}, Amounts{}
	for _, c := range tree.List(pod, "spec", "containers") {
		sum.add(listOf(c, list))
	}
	for _, c := range tree.List(pod, "spec", "initContainers") {
		own := listOf(c, list)
		if tree.String(c, "restartPolicy") == "Always" {
			sum.add(own)
			sidecars.add(own)
			initial.atLeast(sidecars)
		} else {
			initial.atLeast(own.plus(sidecars))
		}
	}
	sum.atLeast(initial)
	if minors.PodLevelResources.In(minor) {
		maps.Copy(sum, listOf(tree.Map(pod, "spec"), list).named(ofPod))
	}
	return sum
}
