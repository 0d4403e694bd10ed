package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// disruptionBudget checks a PodDisruptionBudget; its metadata is checked as that
// of every object.
//
// Source: ValidatePodDisruptionBudget of pkg/apis/policy/validation.
func disruptionBudget(r *Request) field.ErrorList {
	var errs field.ErrorList
	p := field.NewPath("spec")
	spec := tree.Map(r.Object, "spec")
	if tree.Has(spec, "minAvailable") && tree.Has(spec, "maxUnavailable") {
		errs = append(errs, field.Invalid(p, schema.Internal("policy/v1.PodDisruptionBudgetSpec", spec), "minAvailable and maxUnavailable cannot be both set"))
	}
	for _, key := range []string{"minAvailable", "maxUnavailable"} {
		if tree.Has(spec, key) {
			errs = append(errs, intOrPercent(spec[key], p.Child(key))...)
			errs = append(errs, atMost100Percent(spec[key], p.Child(key))...)
		}
	}
	errs = append(errs, labelSelector(spec["selector"], keptSelectorValues(r), p.Child("selector"))...)
	if tree.Has(spec, "unhealthyPodEvictionPolicy") {
		errs = append(errs, oneOf(tree.String(spec, "unhealthyPodEvictionPolicy"), p.Child("unhealthyPodEvictionPolicy"), "AlwaysAllow", "IfHealthyBudget")...)
	}
	return errs
}
