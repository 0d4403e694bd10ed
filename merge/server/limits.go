package server

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"threeway/merge/fault"
	"threeway/merge/format"
	"threeway/merge/schema"
	"threeway/merge/tree"
)

// limits is what LimitRanger refuses of a new Pod or claim
// (plugin/pkg/admission/limitranger): amounts below the minimum or above the
// maximum of a LimitRange, per container, per Pod and per claim. It ends with
// the first LimitRange that has something to say.
func (s *Server) limits(k schema.Kind, obj tree.Object) *fault.Rejection {
	for _, r := range s.Cluster.objectsIn("LimitRange", tree.String(obj, "metadata", "namespace")) {
		var faults []string
		for _, item := range tree.List(r, "spec", "limits") {
			switch kind := tree.String(item, "type"); {
			case k.Kind == "Pod" && kind == "Container":
				for _, c := range slices.Concat(tree.List(obj, "spec", "containers"), tree.List(obj, "spec", "initContainers")) {
					faults = append(faults, outside(item, kind, tree.Map(c, "resources", "requests"), tree.Map(c, "resources", "limits"))...)
				}
			case k.Kind == "Pod" && kind == "Pod":
				faults = append(faults, outside(item, kind, podSum(obj, "requests"), podSum(obj, "limits"))...)
			case k.Kind == "PersistentVolumeClaim" && kind == k.Kind:
				faults = append(faults, outside(item, kind, tree.Map(obj, "spec", "resources", "requests"), nil)...)
			}
		}
		switch len(faults) {
		case 0:
		case 1:
			return s.Cluster.forbidden(k, obj, faults[0])
		default:
			return s.Cluster.forbidden(k, obj, "["+strings.Join(faults, ", ")+"]")
		}
	}
	return nil
}

// outside compares amounts with one item of a LimitRange. A claim has no
// limits: its requests count as both.
func outside(item any, kind string, requests, limits tree.Object) []string {
	var faults []string
	claim := kind == "PersistentVolumeClaim"
	for _, name := range sortedNames(tree.Map(item, "min")) {
		least := tree.String(item, "min", name)
		request, hasRequest := quantity(requests, name)
		limit, hasLimit := quantity(limits, name)
		bound, _ := quantity(tree.Map(item, "min"), name)
		switch {
		case !hasRequest:
			faults = append(faults, fmt.Sprintf("minimum %s usage per %s is %s.  No request is specified", name, kind, least))
		case request.Cmp(bound) < 0:
			faults = append(faults, fmt.Sprintf("minimum %s usage per %s is %s, but request is %s", name, kind, least, request.String()))
		case hasLimit && limit.Cmp(bound) < 0:
			faults = append(faults, fmt.Sprintf("minimum %s usage per %s is %s, but limit is %s", name, kind, least, limit.String()))
		}
	}
	for _, name := range sortedNames(tree.Map(item, "max")) {
		most := tree.String(item, "max", name)
		request, hasRequest := quantity(requests, name)
		limit, hasLimit := quantity(limits, name)
		bound, _ := quantity(tree.Map(item, "max"), name)
		switch {
		case claim && hasRequest && request.Cmp(bound) > 0:
			faults = append(faults, fmt.Sprintf("maximum %s usage per %s is %s, but request is %s", name, kind, most, request.String()))
		case claim:
		case !hasLimit:
			faults = append(faults, fmt.Sprintf("maximum %s usage per %s is %s.  No limit is specified", name, kind, most))
		case limit.Cmp(bound) > 0:
			faults = append(faults, fmt.Sprintf("maximum %s usage per %s is %s, but limit is %s", name, kind, most, limit.String()))
		case hasRequest && request.Cmp(bound) > 0:
			faults = append(faults, fmt.Sprintf("maximum %s usage per %s is %s, but request is %s", name, kind, most, request.String()))
		}
	}
	return faults
}

// podSum adds up what the containers of a Pod ask for.
func podSum(pod tree.Object, list string) tree.Object {
	sum := map[string]resource.Quantity{}
	for _, c := range tree.List(pod, "spec", "containers") {
		for name := range tree.Map(c, "resources", list) {
			if q, ok := quantity(tree.Map(c, "resources", list), name); ok {
				total := sum[name]
				total.Add(q)
				sum[name] = total
			}
		}
	}
	out := tree.Object{}
	for name, q := range sum {
		out[name] = q.String()
	}
	return out
}

func quantity(m tree.Object, name string) (resource.Quantity, bool) {
	text, ok := m[name].(string)
	if !ok {
		return resource.Quantity{}, false
	}
	q, err := format.Quantity(text)
	return q, err == nil
}

func sortedNames(m tree.Object) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
