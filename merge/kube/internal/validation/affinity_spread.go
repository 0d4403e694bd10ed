package validation

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// topologySpread checks how a pod's replicas are spread.
//
// Source: validateTopologySpreadConstraints of pkg/apis/core/validation, as
// are the other functions of this file.
func topologySpread(constraints []any, p *field.Path, opts podOptions) field.ErrorList {
	var errs field.ErrorList
	for i, c := range constraints {
		at := p.Index(i)
		skew, _ := tree.Int(c, "maxSkew")
		key, action := tree.String(c, "topologyKey"), tree.String(c, "whenUnsatisfiable")
		errs = append(errs, positive(skew, at.Child("maxSkew"))...)
		if key == "" {
			errs = append(errs, field.Required(at.Child("topologyKey"), "can not be empty"))
		}
		errs = append(errs, oneOf(action, at.Child("whenUnsatisfiable"), "DoNotSchedule", "ScheduleAnyway")...)
		if slices.ContainsFunc(constraints[i+1:], func(other any) bool {
			return tree.String(other, "topologyKey") == key && tree.String(other, "whenUnsatisfiable") == action
		}) {
			errs = append(errs, field.Duplicate(at.Child("{topologyKey, whenUnsatisfiable}"), fmt.Sprintf("{%v, %v}", key, action)))
		}
		errs = append(errs, minDomains(c, action, at.Child("minDomains"))...)
		errs = append(errs, oneOfAt(c, "nodeAffinityPolicy", at, "Honor", "Ignore")...)
		errs = append(errs, oneOfAt(c, "nodeTaintsPolicy", at, "Honor", "Ignore")...)
		if opts.legacySpreadLabelKeys {
			errs = append(errs, legacyMatchLabelKeys(c, at.Child("matchLabelKeys"))...)
		} else {
			errs = append(errs, matchLabelKeys(c, at)...)
		}
		if !opts.allowInvalidSpreadSelector {
			errs = append(errs, labelSelector(tree.Map(c, "labelSelector"), selectorOptions{}, at.Child("labelSelector"))...)
		}
	}
	return errs
}

func minDomains(constraint any, action string, p *field.Path) field.ErrorList {
	n, ok := tree.Int(constraint, "minDomains")
	if !ok {
		return nil
	}
	errs := positive(n, p)
	if action != "DoNotSchedule" {
		errs = append(errs, field.Invalid(p, n, "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not "+action))
	}
	return errs
}

// matchLabelKeys checks the keys of labels whose values a pod shares, or not,
// with those it selects. By now the server has put the former into the
// selector, so one that is there twice is the user's.
func matchLabelKeys(o any, p *field.Path) field.ErrorList {
	match, mismatch := stringsOf(tree.List(o, "matchLabelKeys")), stringsOf(tree.List(o, "mismatchLabelKeys"))
	selector := tree.Map(o, "labelSelector")
	errs := labelKeys(match, selector, p.Child("matchLabelKeys"))
	errs = append(errs, labelKeys(mismatch, selector, p.Child("mismatchLabelKeys"))...)
	selected := sortedKeys(tree.Map(selector, "matchLabels"))
	for _, expression := range tree.List(selector, "matchExpressions") {
		key := tree.String(expression, "key")
		// Upstream looks for the last of equal keys, and leaves the field out of the path.
		if i := lastIndex(match, key); i >= 0 && slices.Contains(selected, key) {
			errs = append(errs, field.Invalid(p.Index(i), key, "exists in both matchLabelKeys and labelSelector"))
		}
		selected = append(selected, key)
	}
	for i, key := range match {
		if slices.Contains(mismatch, key) {
			errs = append(errs, field.Invalid(p.Child("matchLabelKeys").Index(i), key, "exists in both matchLabelKeys and mismatchLabelKeys"))
		}
	}
	return errs
}

func labelKeys(keys []string, selector tree.Object, p *field.Path) field.ErrorList {
	if len(keys) == 0 {
		return nil
	}
	if selector == nil {
		return field.ErrorList{notAllowed(p, "must not be specified when labelSelector is not set")}
	}
	return each(keys, p, qualifiedName)
}

// legacyMatchLabelKeys is matchLabelKeys as it was before 1.34, for objects
// that do not pass it.
func legacyMatchLabelKeys(c any, p *field.Path) field.ErrorList {
	keys := stringsOf(tree.List(c, "matchLabelKeys"))
	if len(keys) == 0 {
		return nil
	}
	var errs field.ErrorList
	selector := tree.Map(c, "labelSelector")
	if selector == nil {
		errs = append(errs, notAllowed(p, "must not be specified when labelSelector is not set"))
	}
	selected := sortedKeys(tree.Map(selector, "matchLabels"))
	for _, expression := range tree.List(selector, "matchExpressions") {
		selected = append(selected, tree.String(expression, "key"))
	}
	for i, key := range keys {
		errs = append(errs, qualifiedName(key, p.Index(i))...)
		if slices.Contains(selected, key) {
			errs = append(errs, field.Invalid(p.Index(i), key, "exists in both matchLabelKeys and labelSelector"))
		}
	}
	return errs
}

func lastIndex(list []string, s string) int {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == s {
			return i
		}
	}
	return -1
}
