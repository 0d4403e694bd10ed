package validation

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

const maxPolicyRules = 20 // also of the conditions of one rule

// podFailurePolicy checks what a Job makes of failed Pods.
//
// Source: validatePodFailurePolicy of pkg/apis/batch/validation, as are the
// functions that follow.
func podFailurePolicy(spec tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	at := p.Child("rules")
	rules := tree.List(spec, "podFailurePolicy", "rules")
	if len(rules) > maxPolicyRules {
		errs = append(errs, field.TooMany(at, len(rules), maxPolicyRules))
	}
	for i, rule := range rules {
		errs = append(errs, podFailureRule(spec, rule, at.Index(i))...)
	}
	return errs
}

func podFailureRule(spec tree.Object, rule any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	at := p.Child("action")
	if action := tree.String(rule, "action"); action != "FailIndex" {
		errs = append(errs, valueOf(action, at, "Count", "FailIndex", "FailJob", "Ignore")...)
	} else if !tree.Has(spec, "backoffLimitPerIndex") {
		errs = append(errs, field.Invalid(at, action, "requires the backoffLimitPerIndex to be set"))
	}
	hasCodes, conditions := tree.Has(rule, "onExitCodes"), tree.List(rule, "onPodConditions")
	if hasCodes {
		errs = append(errs, onExitCodes(spec, tree.Map(rule, "onExitCodes"), p.Child("onExitCodes"))...)
	}
	errs = append(errs, onPodConditions(conditions, p.Child("onPodConditions"))...)
	switch hasConditions := len(conditions) > 0; {
	case hasCodes && hasConditions:
		errs = append(errs, field.Invalid(p, field.OmitValueType{}, "specifying both OnExitCodes and OnPodConditions is not supported"))
	case !hasCodes && !hasConditions:
		errs = append(errs, field.Invalid(p, field.OmitValueType{}, "specifying one of OnExitCodes and OnPodConditions is required"))
	}
	return errs
}

// valueOf is oneOf for a required field whose error lists the values even if
// there is none.
func valueOf(s string, p *field.Path, values ...string) field.ErrorList {
	if s == "" {
		return field.ErrorList{field.Required(p, fmt.Sprintf("valid values: %q", values))}
	}
	return oneOf(s, p, values...)
}

func onPodConditions(conditions []any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(conditions) > maxPolicyRules {
		errs = append(errs, field.TooMany(p, len(conditions), maxPolicyRules))
	}
	for i, c := range conditions {
		at := p.Index(i)
		errs = append(errs, qualifiedName(tree.String(c, "type"), at.Child("type"))...)
		errs = append(errs, valueOf(tree.String(c, "status"), at.Child("status"), "False", "True", "Unknown")...)
	}
	return errs
}

func onExitCodes(spec, codes tree.Object, p *field.Path) field.ErrorList {
	const maxValues = 255
	operator := tree.String(codes, "operator")
	errs := valueOf(operator, p.Child("operator"), "In", "NotIn")
	names := append(containerNames(tree.List(spec, "template", "spec", "containers")),
		containerNames(tree.List(spec, "template", "spec", "initContainers"))...)
	if name := tree.String(codes, "containerName"); tree.Has(codes, "containerName") && !slices.Contains(names, name) {
		errs = append(errs, field.Invalid(p.Child("containerName"), name, "must be one of the container or initContainer names in the pod template"))
	}
	at := p.Child("values")
	values := tree.List(codes, "values")
	if len(values) == 0 {
		errs = append(errs, field.Invalid(at, values, "at least one value is required"))
	} else if len(values) > maxValues {
		errs = append(errs, field.TooMany(at, len(values), maxValues))
	}
	ordered, before := true, int64(0)
	for i, v := range values {
		n, _ := v.(int64)
		if operator == "In" && n == 0 {
			errs = append(errs, field.Invalid(at.Index(i), n, "must not be 0 for the In operator"))
		}
		if slices.Contains(values[:i], v) {
			errs = append(errs, field.Duplicate(at.Index(i), n))
		}
		ordered = ordered && (i == 0 || before <= n)
		before = n
	}
	if !ordered {
		errs = append(errs, field.Invalid(at, values, "must be ordered"))
	}
	return errs
}

// successPolicy checks when an indexed Job has succeeded before all of its
// Pods have.
func successPolicy(spec tree.Object, p *field.Path) field.ErrorList {
	policy := tree.Map(spec, "successPolicy")
	if !isIndexed(spec) {
		return field.ErrorList{field.Invalid(p, schema.Internal("batch/v1.SuccessPolicy", policy), "requires indexed completion mode")}
	}
	var errs field.ErrorList
	at := p.Child("rules")
	rules := tree.List(policy, "rules")
	if len(rules) == 0 {
		errs = append(errs, field.Required(at, "at least one rules must be specified when the successPolicy is specified"))
	}
	if len(rules) > maxPolicyRules {
		errs = append(errs, field.TooMany(at, len(rules), maxPolicyRules))
	}
	completions, _ := tree.Int(spec, "completions")
	for i, rule := range rules {
		errs = append(errs, successRule(rule, completions, at.Index(i))...)
	}
	return errs
}

func successRule(rule any, completions int64, p *field.Path) field.ErrorList {
	const maxBytes = 64 << 10
	var errs field.ErrorList
	count, hasCount := tree.Int(rule, "succeededCount")
	indexes, hasIndexes := tree.String(rule, "succeededIndexes"), tree.Has(rule, "succeededIndexes")
	if !hasCount && !hasIndexes {
		errs = append(errs, field.Required(p, "at least one of succeededCount or succeededIndexes must be specified"))
	}
	var total int64
	if hasIndexes {
		at := p.Child("succeededIndexes")
		if len(indexes) > maxBytes {
			errs = append(errs, field.TooLong(at, "", maxBytes))
		}
		var err error
		if total, err = countIndexes(indexes, completions); err != nil {
			errs = append(errs, field.Invalid(at, indexes, "error parsing succeededIndexes: "+err.Error()))
		}
	}
	if hasCount {
		at := p.Child("succeededCount")
		errs = append(errs, nonNegative(count, at)...)
		if count > completions {
			errs = append(errs, field.Invalid(at, count, fmt.Sprintf("must be less than or equal to %d (the number of specified completions)", completions)))
		}
		if hasIndexes && count > total {
			errs = append(errs, field.Invalid(at, count, fmt.Sprintf("must be less than or equal to %d (the number of indexes in the specified succeededIndexes field)", total)))
		}
	}
	return errs
}
