package custom

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"threeway/merge/kube/internal/cel"
	"threeway/merge/tree"
)

// validate adds to r what validation finds; old is nil on create
// (pkg/registry/customresource/{strategy,validator}.go).
func (d *Definition) validate(v *version, obj, old tree.Object, r *Result) {
	var errs field.ErrorList
	if d.checks.Object != nil {
		errs = d.checks.Object(obj, old)
	}
	var root *change
	if old != nil {
		root = &change{new: obj, old: old, schema: v.schema}
	}
	var patterns checker
	for _, p := range patterns.check(obj, v.schema, "", root).problems {
		errs = append(errs, p.fieldError(nil, d.checks.Minor))
	}
	r.Undecided = patterns.undecided > 0
	errs = append(errs, scaleErrors(obj, v.scale)...)
	if v.embeds() {
		errs = append(errs, d.checks.embedded(nil, obj, v.schema)...)
	}
	if v.keys() && (old == nil || len(uniqueLists(nil, old, v.schema)) == 0) {
		errs = append(errs, uniqueLists(nil, obj, v.schema)...)
	}
	if rules := v.rules(); rules != nil {
		if slices.ContainsFunc(errs, blocksRules) {
			errs = append(errs, field.Invalid(nil, nil, rulesLeftOut))
		} else {
			var replaced any
			if old != nil {
				replaced = old
			}
			failed, warnings := rules.Evaluate(nil, obj, replaced, old != nil, cel.NewBudget(celconfig.RuntimeCELCostBudget))
			errs, r.Warnings = append(errs, failed...), warnings
		}
	}
	r.Errors = errs
}

// rulesLeftOut is the detail of the error that says that rules in CEL were not
// evaluated, since other errors were found.
const rulesLeftOut = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"

// blocksRules reports whether CEL rules are not evaluated because of the error.
func blocksRules(err *field.Error) bool {
	switch err.Type {
	case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
		return true
	}
	return false
}

// Found returns the errors of an object, without the one that only says that rules in CEL were
// not evaluated.
func (r Result) Found() field.ErrorList {
	return slices.DeleteFunc(slices.Clone(r.Errors), func(e *field.Error) bool { return e.Detail == rulesLeftOut })
}
