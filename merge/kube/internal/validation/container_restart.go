package validation

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// containerRestartPolicy checks restart policy and restart rules of a
// container.
//
// Source: validateContainerRestartPolicy of pkg/apis/core/validation.
func containerRestartPolicy(c any, opts podOptions, p *field.Path) field.ErrorList {
	rules := tree.List(c, "restartPolicyRules")
	if !tree.Has(c, "restartPolicy") && len(rules) == 0 {
		return nil
	}
	if !opts.allowRestartRules {
		return field.ErrorList{notAllowed(p.Child("restartPolicy"), "may not be set for non-init containers")}
	}
	errs := restartPolicyBesideRules(c, p)
	errs = append(errs, oneOfAt(c, "restartPolicy", p, "Always", "Never", "OnFailure")...)
	if len(rules) > 20 {
		errs = append(errs, field.TooMany(p.Child("restartPolicyRules"), len(rules), 20))
	}
	actions := []string{"Restart"}
	if opts.allowRestartAllContainers {
		actions = append(actions, "RestartAllContainers")
	}
	for i, rule := range rules {
		at := p.Child("restartPolicyRules").Index(i)
		errs = append(errs, oneOf(tree.String(rule, "action"), at.Child("action"), actions...)...)
		at = at.Child("exitCodes")
		if !tree.Has(rule, "exitCodes") {
			errs = append(errs, field.Required(at, "must be specified"))
			continue
		}
		errs = append(errs, oneOf(tree.String(rule, "exitCodes", "operator"), at.Child("operator"), "In", "NotIn")...)
		if n := len(tree.List(rule, "exitCodes", "values")); n > 255 {
			errs = append(errs, field.TooMany(at.Child("values"), n, 255))
		}
	}
	return errs
}

// initRestartPolicy is containerRestartPolicy for init containers, whose
// rules are not looked at without a policy.
//
// Source: validateInitContainerRestartPolicy of pkg/apis/core/validation.
func initRestartPolicy(c any, opts podOptions, p *field.Path) field.ErrorList {
	switch {
	case !tree.Has(c, "restartPolicy"):
		return restartPolicyBesideRules(c, p)
	case !opts.allowRestartRules:
		return oneOfAt(c, "restartPolicy", p, "Always")
	case isSidecar(c) && !opts.allowRestartAllContainers:
		if len(tree.List(c, "restartPolicyRules")) > 0 {
			return field.ErrorList{field.Forbidden(p.Child("restartPolicyRules"), "restartPolicyRules are not allowed for init containers with restart policy Always")}
		}
		return nil
	}
	return containerRestartPolicy(c, opts, p)
}

func restartPolicyBesideRules(c any, p *field.Path) field.ErrorList {
	if tree.Has(c, "restartPolicy") || len(tree.List(c, "restartPolicyRules")) == 0 {
		return nil
	}
	return field.ErrorList{field.Required(p.Child("restartPolicy"), "must specify restartPolicy when restart rules are used")}
}

// resizePolicy checks what happens when resources are resized in place.
//
// Source: validateResizePolicy of pkg/apis/core/validation.
func resizePolicy(policies []any, pod *podContext, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	var seen []string
	for i, policy := range policies {
		name, restart := tree.String(policy, "resourceName"), tree.String(policy, "restartPolicy")
		if slices.Contains(seen, name) {
			errs = append(errs, field.Duplicate(p.Index(i), named(name)))
		}
		seen = append(seen, name)
		errs = append(errs, requiredOneOf(name, p, "cpu", "memory")...)
		errs = append(errs, requiredOneOf(restart, p, "NotRequired", "RestartContainer")...)
		if pod.neverAgain && restart != "NotRequired" {
			errs = append(errs, field.Invalid(p, named(restart), "must be 'NotRequired' when pod `restartPolicy` is 'Never'"))
		}
	}
	return errs
}

// initResizePolicy checks that an init container that is no sidecar is not
// restarted to be resized.
func initResizePolicy(c any, pod *podContext, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, policy := range tree.List(c, "resizePolicy") {
		if tree.String(policy, "restartPolicy") == "RestartContainer" && !pod.opts.allowRestartContainerForInit {
			errs = append(errs, field.Invalid(p.Child("resizePolicy").Index(i).Child("restartPolicy"), named("RestartContainer"),
				"must not be set to 'RestartContainer' for non-sidecar initContainers"))
		}
	}
	return errs
}
