package server

import (
	"maps"
	"slices"
	"strings"

	"threeway/merge/tree"
)

// disabled lists the fields of features that are gone, or off by default in
// every minor that has them: they are dropped unless the old object uses one
// (pkg/features/kube_features.go; DropDisabled* in pkg/api/pod/util.go and in
// the strategies). "*" stands for every item of a list or map, and "a|b" for
// fields of one feature.
var disabled = []struct{ typ, path string }{
	{"pod spec", "containers.*.lifecycle.stopSignal"}, // ContainerStopSignals
	{"pod spec", "initContainers.*.lifecycle.stopSignal"},
	{"pod spec", "volumes.*.projected.sources.*.clusterTrustBundle"}, // ClusterTrustBundleProjection
	{"pod spec", "volumes.*.projected.sources.*.podCertificate"},     // PodCertificateRequest
	{"pod spec", "schedulingGroup"},                                  // GenericWorkload
	{"apps/v1.StatefulSet", "spec.updateStrategy.rollingUpdate.maxUnavailable"},
	{"storage/v1.CSIDriver", "spec.preventPodSchedulingIfMissing"}, // VolumeLimitScaling
	{"core/v1.Node", "spec.configSource"},                          // DynamicKubeletConfig, which is gone
	{"coordination/v1.Lease", "spec.strategy"},                     // CoordinatedLeaderElection
	{"coordination/v1.Lease", "spec.preferredHolder"},
	{"resource/v1.ResourceSlice", "spec.devices.*.nodeAllocatableResourceMappings"},          // DRANodeAllocatableResources
	{"resource/v1.ResourceSlice", "spec.devices.*.attributes.*.bools|ints|strings|versions"}, // DRAListTypeAttributes
}

// dropDisabled drops the fields of features that are off from obj; old is nil
// on create.
func (b builtin) dropDisabled(obj, old tree.Object) {
	for _, d := range disabled {
		steps := strings.Split(d.path, ".")
		if d.typ == b.typ.Name {
			dropUnlessUsed(obj, old, steps)
		}
		if path := b.row.podSpec; path != nil && d.typ == "pod spec" {
			if spec := tree.Map(obj, path...); spec != nil {
				dropUnlessUsed(spec, tree.Map(old, path...), steps)
			}
		}
	}
}

func dropUnlessUsed(obj, old tree.Object, steps []string) {
	if !used(old, steps) {
		dropAt(obj, steps)
	}
}

// used reports whether a value stands at the steps anywhere in v.
func used(v any, steps []string) bool {
	if len(steps) == 0 {
		return v != nil
	}
	if steps[0] == "*" {
		return slices.ContainsFunc(itemsOf(v), func(x any) bool { return used(x, steps[1:]) })
	}
	m, _ := v.(map[string]any)
	return m != nil && slices.ContainsFunc(strings.Split(steps[0], "|"), func(key string) bool { return used(m[key], steps[1:]) })
}

// itemsOf are those of a list or map.
func itemsOf(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case map[string]any:
		return slices.Collect(maps.Values(v))
	}
	return nil
}

// dropAt deletes the value at the steps wherever it stands. A lifecycle that
// held nothing else goes as well, as dropContainerStopSignals has it.
func dropAt(v any, steps []string) {
	if steps[0] == "*" {
		for _, x := range itemsOf(v) {
			dropAt(x, steps[1:])
		}
		return
	}
	m, _ := v.(map[string]any)
	if len(steps) == 1 {
		drop(m, strings.Split(steps[0], "|")...)
		return
	}
	next, _ := m[steps[0]].(map[string]any)
	full := len(next) > 0
	dropAt(m[steps[0]], steps[1:])
	if steps[0] == "lifecycle" && full && len(next) == 0 {
		delete(m, "lifecycle")
	}
}
