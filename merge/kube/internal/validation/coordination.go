package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// leaseSpec checks a Lease. What only coordinated leader election uses is dropped by
// servers without that feature.
//
// Source: ValidateLease of pkg/apis/coordination/validation.
func leaseSpec(r *Request) field.ErrorList {
	var errs field.ErrorList
	p := field.NewPath("spec")
	if n, ok := tree.Int(r.Object, "spec", "leaseDurationSeconds"); ok && n <= 0 {
		errs = append(errs, field.Invalid(p.Child("leaseDurationSeconds"), n, "must be greater than 0"))
	}
	return append(errs, nonNegativeAt(tree.Map(r.Object, "spec"), "leaseTransitions", p)...)
}
