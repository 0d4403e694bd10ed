package validation

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// podResources checks the resources of a pod as a whole, if it has any: its
// containers have to fit in.
//
// Source: validatePodResources and validatePodResourceConsistency of
// pkg/apis/core/validation.
func podResources(pod *podContext, p *field.Path) field.ErrorList {
	if !tree.Has(pod.spec, "resources") {
		return nil
	}
	p = p.Child("resources")
	if tree.String(pod.spec, "os", "name") == "windows" {
		return field.ErrorList{notAllowed(p, "may not be set for a windows pod")}
	}
	var errs field.ErrorList
	req := tree.Map(pod.spec, "resources")
	if tree.Has(req, "claims") {
		errs = append(errs, field.Forbidden(p.Child("claims"), "claims may not be set for Resources at pod-level"))
	}
	errs = append(errs, limitsAndRequests(req, podResourceName, p, pod.opts)...)
	errs = append(errs, claimNames(tree.List(req, "claims"), pod.claims, p.Child("claims"))...)
	limits, requests := tree.Map(req, "limits"), tree.Map(req, "requests")
	needed := totalOf(pod.spec, "requests")
	for _, r := range sortedKeys(needed) {
		q := quantity(requests[r])
		if n := needed[r]; requests[r] != nil && n.Cmp(q) > 0 {
			errs = append(errs, field.Invalid(p.Child("requests").Key(r), q.String(),
				fmt.Sprintf("must be greater than or equal to aggregate container requests of %s", n.String())))
		}
	}
	needed = totalOf(pod.spec, "limits")
	for _, r := range sortedKeys(needed) {
		q := quantity(limits[r])
		if n := needed[r]; isHugePages(r) && limits[r] != nil && n.Cmp(q) > 0 {
			errs = append(errs, field.Invalid(p.Child("limits").Key(r), q.String(),
				fmt.Sprintf("must be greater than or equal to aggregate container limits of %s", n.String())))
		}
	}
	return append(errs, containersWithin(pod.spec, limits, p)...)
}

// containersWithin checks that no container may use more than the pod.
func containersWithin(spec, limits tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, c := range tree.List(spec, "containers") {
		ofContainer := tree.Map(c, "resources", "limits")
		for _, r := range sortedKeys(ofContainer) {
			q, l := quantity(ofContainer[r]), quantity(limits[r])
			if limits[r] != nil && q.Cmp(l) > 0 {
				errs = append(errs, field.Invalid(p.Child("containers").Index(i).Key(r).Child("limits"), q.String(),
					fmt.Sprintf("must be less than or equal to pod limits of %s", l.String())))
			}
		}
	}
	return errs
}

// totalOf is what the containers of a pod need at most at one time: all
// regular ones and sidecars together, or one init container beside the
// sidecars started before it.
//
// Source: AggregateContainerRequests and AggregateContainerLimits of
// k8s.io/component-helpers/resource.
func totalOf(spec tree.Object, key string) map[string]resource.Quantity {
	total, sidecars := map[string]resource.Quantity{}, map[string]resource.Quantity{}
	for _, c := range tree.List(spec, "containers") {
		addTo(total, tree.Map(c, "resources", key))
	}
	var inits []map[string]resource.Quantity
	for _, c := range tree.List(spec, "initContainers") {
		list := tree.Map(c, "resources", key)
		if isSidecar(c) {
			addTo(total, list)
			addTo(sidecars, list)
			continue
		}
		inits = append(inits, map[string]resource.Quantity{})
		for r, q := range sidecars {
			inits[len(inits)-1][r] = q.DeepCopy()
		}
		addTo(inits[len(inits)-1], list)
	}
	for _, init := range inits {
		for r, q := range init {
			if t, ok := total[r]; !ok || q.Cmp(t) > 0 {
				total[r] = q
			}
		}
	}
	return total
}

func addTo(total map[string]resource.Quantity, list tree.Object) {
	for r, v := range list {
		sum := total[r]
		sum.Add(quantity(v))
		total[r] = sum
	}
}
