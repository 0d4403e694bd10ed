package validation

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// tolerations checks which taints of nodes a pod puts up with.
//
// Source: ValidateTolerations of pkg/apis/core/validation.
func tolerations(list []any, p *field.Path, opts podOptions) field.ErrorList {
	var errs field.ErrorList
	for i, t := range list {
		at := p.Index(i)
		key, operator, effect := tree.String(t, "key"), tree.String(t, "operator"), tree.String(t, "effect")
		if key != "" {
			errs = append(errs, qualifiedName(key, at.Child("key"))...)
		} else if operator != "Exists" {
			errs = append(errs, field.Invalid(at.Child("operator"), named(operator),
				"operator must be Exists when `key` is empty, which means \"match all values and all keys\""))
		}
		if tree.Has(t, "tolerationSeconds") && effect != "NoExecute" {
			errs = append(errs, field.Invalid(at.Child("effect"), named(effect), "effect must be 'NoExecute' when `tolerationSeconds` is set"))
		}
		errs = append(errs, tolerationValue(operator, tree.String(t, "value"), at, opts)...)
		if effect != "" {
			errs = append(errs, oneOf(effect, at.Child("effect"), "NoSchedule", "PreferNoSchedule", "NoExecute")...)
		}
	}
	return errs
}

// tolerationValue checks the value that an operator is given. Upstream
// reports it at the operator, except for the comparison operators, which are
// off by default (gate TaintTolerationComparisonOperators).
func tolerationValue(operator, value string, p *field.Path, opts podOptions) field.ErrorList {
	at := p.Child("operator")
	switch {
	case operator == "" || operator == "Equal":
		if msgs := isLabelValue(value); len(msgs) > 0 {
			return field.ErrorList{field.Invalid(at, value, strings.Join(msgs, ";"))}
		}
	case operator == "Exists":
		if value != "" {
			return field.ErrorList{field.Invalid(at, value, "value must be empty when `operator` is 'Exists'")}
		}
	case operator != "Lt" && operator != "Gt":
		return oneOf(operator, at, "Equal", "Exists")
	case !opts.allowTolerationComparison:
		return field.ErrorList{field.NotSupported(at, named(operator), []string{"Equal", "Exists", "Lt", "Gt"})}
	default:
		errs := invalidEach(p.Child("value"), value, content.IsDecimalInteger(value))
		if _, err := strconv.ParseInt(value, 10, 64); err != nil {
			errs = append(errs, field.Invalid(p.Child("value"), value, err.Error()))
		}
		return errs
	}
	return nil
}
