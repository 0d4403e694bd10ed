package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// autoscalerSpec checks a HorizontalPodAutoscaler. Source of this file:
// pkg/apis/autoscaling/validation, with the options of
// pkg/registry/autoscaling/horizontalpodautoscaler.
func autoscalerSpec(r *Request) field.ErrorList {
	p := field.NewPath("spec")
	spec := tree.Map(r.Object, "spec")
	errs := autoscalerReplicas(r, p)
	errs = append(errs, scaleTarget(r, p.Child("scaleTargetRef"))...)
	errs = append(errs, metrics(r, p.Child("metrics"))...)
	behavior := tree.Map(spec, "behavior")
	for _, direction := range []string{"scaleUp", "scaleDown"} {
		if rules := tree.Map(behavior, direction); rules != nil {
			errs = append(errs, scalingRules(rules, p.Child("behavior", direction))...)
		}
	}
	return errs
}

// autoscalerReplicas checks the bounds. Where scaling to zero is off, it is only
// for objects that already do.
func autoscalerReplicas(r *Request, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	minReplicas, hasMin := tree.Int(r.Object, "spec", "minReplicas")
	maxReplicas, _ := tree.Int(r.Object, "spec", "maxReplicas")
	lowest := int64(1)
	if old, ok := tree.Int(r.Old, "spec", "minReplicas"); ok && old == 0 || minors.AutoscalerToZero.In(r.Minor) {
		lowest = 0
	}
	if hasMin && minReplicas < lowest {
		detail := "must be greater than or equal to 1"
		if lowest == 0 {
			detail = isNegative
		}
		errs = append(errs, field.Invalid(p.Child("minReplicas"), minReplicas, detail))
	}
	if maxReplicas == 0 {
		errs = append(errs, field.Required(p.Child("maxReplicas"), "must be set and greater than 0"))
	} else if maxReplicas < 0 {
		errs = append(errs, field.Invalid(p.Child("maxReplicas"), maxReplicas, "must be greater than or equal to 1"))
	}
	if hasMin && maxReplicas < minReplicas {
		errs = append(errs, field.Invalid(p.Child("maxReplicas"), maxReplicas, "must be greater than or equal to `minReplicas`"))
	}
	return errs
}

// scaleTarget checks what is scaled. Its apiVersion needs a group, unless it
// is a ReplicationController or has had none before.
func scaleTarget(r *Request, p *field.Path) field.ErrorList {
	target, old := tree.Map(r.Object, "spec", "scaleTargetRef"), tree.Map(r.Old, "spec", "scaleTargetRef")
	errs := crossVersionReference(target, p)
	kind, apiVersion := tree.String(target, "kind"), tree.String(target, "apiVersion")
	if !minors.AutoscalerTargetVersion.In(r.Minor) || r.Old != nil && kind == tree.String(old, "kind") && apiVersion == tree.String(old, "apiVersion") {
		return errs
	}
	return append(errs, referenceVersion(apiVersion, kind == "ReplicationController", p.Child("apiVersion"))...)
}

// crossVersionReference checks kind and name of a reference.
func crossVersionReference(ref any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, key := range []string{"kind", "name"} {
		s := tree.String(ref, key)
		if s == "" {
			errs = append(errs, field.Required(p.Child(key), ""))
			continue
		}
		errs = append(errs, invalidEach(p.Child(key), s, pathSegmentName(s, false))...)
	}
	return errs
}

func scalingRules(rules tree.Object, p *field.Path) field.ErrorList {
	const maxWindow = 3600
	var errs field.ErrorList
	if window, ok := tree.Int(rules, "stabilizationWindowSeconds"); ok && window < 0 {
		errs = append(errs, field.Invalid(p.Child("stabilizationWindowSeconds"), window, "must be greater than or equal to zero"))
	} else if window > maxWindow {
		errs = append(errs, field.Invalid(p.Child("stabilizationWindowSeconds"), window, "must be less than or equal to 3600"))
	}
	if tree.Has(rules, "selectPolicy") {
		errs = append(errs, oneOf(tree.String(rules, "selectPolicy"), p.Child("selectPolicy"), "Disabled", "Max", "Min")...)
	}
	policies := tree.List(rules, "policies")
	if len(policies) == 0 {
		errs = append(errs, field.Required(p.Child("policies"), "must specify at least one Policy"))
	}
	errs = append(errs, each(policies, p.Child("policies"), scalingPolicy)...)
	if tree.Has(rules, "tolerance") {
		errs = append(errs, quantityNonNegative(rules["tolerance"], p.Child("tolerance"))...)
	}
	return errs
}

func scalingPolicy(policy any, p *field.Path) field.ErrorList {
	const maxPeriod = 1800
	value, _ := tree.Int(policy, "value")
	period, _ := tree.Int(policy, "periodSeconds")
	errs := oneOf(tree.String(policy, "type"), p.Child("type"), "Percent", "Pods")
	errs = append(errs, positive(value, p.Child("value"))...)
	errs = append(errs, positive(period, p.Child("periodSeconds"))...)
	if period > maxPeriod {
		errs = append(errs, field.Invalid(p.Child("periodSeconds"), period, "must be less than or equal to 1800"))
	}
	return errs
}
