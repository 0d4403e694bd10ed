package server

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"threeway/merge/format"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// qosClass follows ComputePodQOS (pkg/apis/core/helper/qos/qos.go): Guaranteed
// if every container limits cpu and memory and asks for just as much,
// BestEffort if none mentions them, else Burstable.
func qosClass(pod tree.Object, minor int) string {
	spec := tree.Map(pod, "spec")
	var parts []any
	if resources := tree.Map(spec, "resources"); resources != nil &&
		(!minors.EmptyPodLevel.In(minor) || len(tree.Map(resources, "limits"))+len(tree.Map(resources, "requests")) > 0) {
		parts = []any{spec}
	} else {
		parts = append(append(parts, tree.List(spec, "containers")...), tree.List(spec, "initContainers")...)
	}
	guaranteed := len(parts) > 0
	requests, limits := map[string]resource.Quantity{}, map[string]resource.Quantity{}
	for _, p := range parts {
		addUp(requests, tree.Map(p, "resources", "requests"))
		own := map[string]resource.Quantity{}
		addUp(own, tree.Map(p, "resources", "limits"))
		addUp(limits, tree.Map(p, "resources", "limits"))
		guaranteed = guaranteed && len(own) == 2
	}
	if len(requests) == 0 && len(limits) == 0 {
		return "BestEffort"
	}
	for name, q := range requests {
		if limit, ok := limits[name]; !ok || q.Cmp(limit) != 0 {
			guaranteed = false
		}
	}
	if guaranteed && len(requests) == len(limits) {
		return "Guaranteed"
	}
	return "Burstable"
}

// addUp adds the cpu and memory of a resource list that are above zero.
func addUp(sum map[string]resource.Quantity, list tree.Object) {
	for _, name := range []string{"cpu", "memory"} {
		q, err := format.Quantity(tree.String(list, name))
		if err == nil && q.Sign() > 0 {
			total := sum[name]
			total.Add(q)
			sum[name] = total
		}
	}
}
