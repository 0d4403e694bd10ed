package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// selectorOptions loosens the check of a label selector.
type selectorOptions struct {
	allowInvalidLabelValue bool // the old object already has such a value
	allowUnknownOperator   bool // which another authorizer may know
}

// labelSet checks keys and values of a set of labels.
//
// Source: ValidateLabels of k8s.io/apimachinery/pkg/apis/meta/v1/validation.
func labelSet(labels tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, k := range sortedKeys(labels) {
		v := tree.String(labels, k)
		errs = append(errs, qualifiedName(k, p)...)
		errs = append(errs, invalidEach(p, v, isLabelValue(v))...)
	}
	return errs
}

// labelSelector checks a meta/v1 LabelSelector; an absent one (nil) is fine.
//
// Source: ValidateLabelSelector of
// k8s.io/apimachinery/pkg/apis/meta/v1/validation.
func labelSelector(selector any, opts selectorOptions, p *field.Path) field.ErrorList {
	errs := labelSet(tree.Map(selector, "matchLabels"), p.Child("matchLabels"))
	for i, req := range tree.List(selector, "matchExpressions") {
		errs = append(errs, labelSelectorRequirement(req, opts, p.Child("matchExpressions").Index(i))...)
	}
	return errs
}

func labelSelectorRequirement(req any, opts selectorOptions, p *field.Path) field.ErrorList {
	errs := operands(req, opts, p)
	errs = append(errs, qualifiedName(tree.String(req, "key"), p.Child("key"))...)
	if opts.allowInvalidLabelValue {
		return errs
	}
	return append(errs, labelValues(tree.List(req, "values"), p.Child("values"))...)
}

// operands checks that a requirement has values where its operator wants them.
func operands(req any, opts selectorOptions, p *field.Path) field.ErrorList {
	values := tree.List(req, "values")
	switch op := tree.String(req, "operator"); op {
	case "In", "NotIn":
		if len(values) == 0 {
			return field.ErrorList{field.Required(p.Child("values"), "must be specified when `operator` is 'In' or 'NotIn'")}
		}
	case "Exists", "DoesNotExist":
		if len(values) > 0 {
			return field.ErrorList{notAllowed(p.Child("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")}
		}
	default:
		if !opts.allowUnknownOperator {
			return field.ErrorList{field.Invalid(p.Child("operator"), named(op), "not a valid selector operator")}
		}
	}
	return nil
}

func labelValues(values []any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, v := range stringsOf(values) {
		errs = append(errs, invalidEach(p.Index(i), v, isLabelValue(v))...)
	}
	return errs
}

// hasInvalidLabelValue reports whether a match expression of a label selector
// has a value that is not a label value.
func hasInvalidLabelValue(selector any) bool {
	for _, req := range tree.List(selector, "matchExpressions") {
		for _, v := range tree.List(req, "values") {
			if s, _ := v.(string); len(isLabelValue(s)) > 0 {
				return true
			}
		}
	}
	return false
}
