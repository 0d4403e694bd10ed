package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/schema"
)

// RulesOf finds the rules of a kind in the table of merge/server, which this
// package cannot import.
var RulesOf func(schema.Kind) Rules

// validated is what is wrong with a request by the rules of its kind.
func validated(r *Request) field.ErrorList { return Validate(r, RulesOf(r.Kind)) }
