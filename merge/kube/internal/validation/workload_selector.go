package validation

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/tree"
)

// selectorParses reports whether a meta/v1 LabelSelector can be turned into
// one that matches labels.
//
// Source: LabelSelectorAsSelector of k8s.io/apimachinery/pkg/apis/meta/v1.
func selectorParses(selector any) bool {
	for k, v := range tree.Map(selector, "matchLabels") {
		if !requirementParses(k, []any{v}) {
			return false
		}
	}
	for _, req := range tree.List(selector, "matchExpressions") {
		values := tree.List(req, "values")
		switch tree.String(req, "operator") {
		case "In", "NotIn":
			if len(values) == 0 {
				return false
			}
		case "Exists", "DoesNotExist":
			if len(values) > 0 {
				return false
			}
		default:
			return false
		}
		if !requirementParses(tree.String(req, "key"), values) {
			return false
		}
	}
	return true
}

func requirementParses(key string, values []any) bool {
	if len(isLabelKey(key)) > 0 {
		return false
	}
	return !slices.ContainsFunc(values, func(v any) bool {
		s, _ := v.(string)
		return len(isLabelValue(s)) > 0
	})
}

// selectorIsEmpty reports whether a label selector has no requirement.
func selectorIsEmpty(selector any) bool {
	return len(tree.Map(selector, "matchLabels"))+len(tree.List(selector, "matchExpressions")) == 0
}

// selectorValue is a label selector as errors show it.
func selectorValue(selector any) any {
	return internalOrNull("meta/v1.LabelSelector", selector)
}

// requiredSelector checks the selector of a workload that has to have one;
// kind is how the error calls the workload.
func requiredSelector(spec any, kind string, p *field.Path) field.ErrorList {
	selector, _ := tree.Get(spec, "selector")
	if selector == nil {
		return field.ErrorList{field.Required(p, "")}
	}
	errs := labelSelector(selector, selectorOptions{}, p)
	if selectorIsEmpty(selector) {
		errs = append(errs, field.Invalid(p, selectorValue(selector), "empty selector is invalid for "+kind))
	}
	return errs
}

// immutableSelector checks that a workload keeps its selector.
func immutableSelector(r *Request) field.ErrorList {
	selector, _ := tree.Get(r.Object, "spec", "selector")
	old, _ := tree.Get(r.Old, "spec", "selector")
	if sameAs("meta/v1.LabelSelector", selector, old) {
		return nil
	}
	return field.ErrorList{fixed(field.Invalid(field.NewPath("spec", "selector"), selectorValue(selector), isImmutable))}
}

// templateMatches checks that the labels of a Pod template (nil: there is
// none) are what selector selects.
func templateMatches(selector, template any, p *field.Path) field.ErrorList {
	labels := tree.Map(template, "metadata", "labels")
	if tree.Selects(selector, labels) {
		return nil
	}
	return field.ErrorList{coded(fault.SelectorMismatch, field.Invalid(p.Child("metadata", "labels"), labels, "`selector` does not match template `labels`"))}
}
