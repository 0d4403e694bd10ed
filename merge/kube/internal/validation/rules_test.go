package validation_test

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/server"
	"threeway/merge/kube/internal/validation"
)

// validated is what is wrong with a request by the rules of its kind.
func validated(r *validation.Request) field.ErrorList {
	rules, _ := server.Checks(r.Kind)
	return fault.Once(validation.Validate(r, rules))
}
