package validation

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// Source of this file: pkg/apis/admissionregistration/validation.

// mutatingOperations are those that a mutating policy can handle.
func mutatingOperations() []string { return []string{"*", "CONNECT", "CREATE", "UPDATE"} }

func mutatingPolicy(r *Request) field.ErrorList {
	errs := genericClusterMeta(r)
	spec, p := tree.Map(r.Object, "spec"), field.NewPath("spec")
	x := policyExpressions(r, true)
	errs = append(errs, policyScope(spec, mutatingOperations(), hasOldMatchConditions(r), x, p)...)
	mutations := tree.List(spec, "mutations")
	if len(mutations) == 0 {
		errs = append(errs, field.Required(p.Child("mutations"), "mutations must contain at least one item"))
	}
	for i, m := range mutations {
		errs = append(errs, mutation(m, x, p.Child("mutations").Index(i))...)
	}
	return append(errs, requiredOneOf(tree.String(spec, "reinvocationPolicy"), p.Child("reinvocationPolicy"), "IfNeeded", "Never")...)
}

func mutation(m any, x *expressions, p *field.Path) field.ErrorList {
	switch patchType := tree.String(m, "patchType"); patchType {
	case "JSONPatch":
		return mutationOf(m, "jsonPatch", "applyConfiguration", patchType, x, p)
	case "ApplyConfiguration":
		return mutationOf(m, "applyConfiguration", "jsonPatch", patchType, x, p)
	default:
		return requiredOneOf(patchType, p.Child("patchType"), "ApplyConfiguration", "JSONPatch")
	}
}

// mutationOf checks that a mutation has the patch of its type and no other.
func mutationOf(m any, key, other, patchType string, x *expressions, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if !tree.Has(m, key) {
		errs = append(errs, field.Required(p.Child(key), "must be specified when patchType is "+patchType))
	} else if expr := tree.String(m, key, "expression"); strings.TrimSpace(expr) == "" {
		errs = append(errs, field.Required(p.Child(key, "expression"), ""))
	} else {
		errs = append(errs, x.mutation(expr, patchType, p.Child(key, "expression"))...)
	}
	if tree.Has(m, other) {
		errs = append(errs, field.Invalid(p.Child(other), "{"+other+"}", "must not be specified when patchType is "+patchType))
	}
	return errs
}

func validatingPolicyBinding(r *Request) field.ErrorList {
	spec, p := tree.Map(r.Object, "spec"), field.NewPath("spec")
	errs := append(genericClusterMeta(r), policyBinding(spec, p)...)
	return append(errs, validationActions(stringsOf(tree.List(spec, "validationActions")), p.Child("validationActions"))...)
}

func mutatingPolicyBinding(r *Request) field.ErrorList {
	spec, p := tree.Map(r.Object, "spec"), field.NewPath("spec")
	errs := append(genericClusterMeta(r), policyBinding(spec, p)...)
	return append(errs, policyOperations(tree.Map(spec, "matchResources"), mutatingOperations(), p.Child("matchResources"))...)
}

func policyBinding(spec tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if name := tree.String(spec, "policyName"); name == "" {
		errs = append(errs, field.Required(p.Child("policyName"), ""))
	} else {
		errs = append(errs, dns1123Subdomain(name, p.Child("policyName"))...)
	}
	if ref := tree.Map(spec, "paramRef"); ref != nil {
		errs = append(errs, paramRef(ref, p.Child("paramRef"))...)
	}
	if match := tree.Map(spec, "matchResources"); match != nil {
		errs = append(errs, matchResources(match, p.Child("matchResources"))...)
	}
	return errs
}

func paramRef(ref tree.Object, p *field.Path) field.ErrorList {
	const exclusive = "name and selector are mutually exclusive"
	var errs field.ErrorList
	name, selector := tree.String(ref, "name"), ref["selector"]
	if name != "" {
		errs = append(errs, invalidEach(p.Child("name"), name, content.IsPathSegmentName(name))...)
		if selector != nil {
			errs = append(errs, field.Forbidden(p.Child("name"), exclusive))
		}
	}
	if selector != nil {
		errs = append(errs, labelSelector(selector, selectorOptions{}, p.Child("selector"))...)
		if name != "" {
			errs = append(errs, field.Forbidden(p.Child("selector"), exclusive))
		}
	}
	if name == "" && selector == nil {
		errs = append(errs, field.Required(p, "one of name or selector must be specified"))
	}
	return append(errs, requiredOneOf(tree.String(ref, "parameterNotFoundAction"), p.Child("parameterNotFoundAction"), "Deny", "Allow")...)
}

func validationActions(actions []string, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, action := range actions {
		errs = append(errs, oneOf(action, p.Index(i), "Audit", "Deny", "Warn")...)
		if slices.Contains(actions[:i], action) {
			errs = append(errs, field.Duplicate(p.Index(i), named(action)))
		}
	}
	if slices.Contains(actions, "Deny") && slices.Contains(actions, "Warn") {
		errs = append(errs, field.Invalid(p, actions, "must not contain both Deny and Warn "+
			"(repeating the same validation failure information in the API response and headers serves no purpose)"))
	}
	if len(actions) == 0 {
		errs = append(errs, field.Required(p, "at least one validation action is required"))
	}
	return errs
}
