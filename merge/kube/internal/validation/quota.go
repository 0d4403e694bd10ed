package validation

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// keepsScopes checks that an update of a ResourceQuota leaves its scopes as they are, in
// any order. Source of this file: pkg/apis/core/validation.
func keepsScopes(r *Request) field.ErrorList {
	scopes, old := tree.List(r.Object, "spec", "scopes"), tree.List(r.Old, "spec", "scopes")
	if sameMembers(scopes, old) {
		return nil
	}
	return field.ErrorList{fixed(field.Invalid(field.NewPath("spec", "scopes"), scopes, isImmutable))}
}

func sameMembers(a, b []any) bool {
	in := func(l []any) func(any) bool { return func(v any) bool { return !slices.Contains(l, v) } }
	return !slices.ContainsFunc(a, in(b)) && !slices.ContainsFunc(b, in(a))
}

func resourceQuotaSpec(r *Request) field.ErrorList {
	var errs field.ErrorList
	spec, p := tree.Map(r.Object, "spec"), field.NewPath("spec")
	hard, old := tree.Map(spec, "hard"), tree.Map(r.Old, "spec", "hard")
	for _, name := range sortedKeys(hard) {
		errs = append(errs, quotaResourceName(name, p.Child("hard").Key(name))...)
		if q, was := quantity(hard[name]), quantity(old[name]); old[name] == nil || q.Cmp(was) != 0 || !minors.QuotaAmountsKept.In(r.Minor) {
			errs = append(errs, resourceQuantity(name, hard[name], p.Child("hard").Key(name), r.Minor)...)
		}
	}
	errs = append(errs, quotaScopes(spec, p.Child("scopes"))...)
	if selector := tree.Map(spec, "scopeSelector"); selector != nil {
		errs = append(errs, scopeSelector(spec, p.Child("scopeSelector", "matchExpressions"))...)
	}
	return errs
}

func quotaResourceName(name string, p *field.Path) field.ErrorList {
	errs := resourceName(name, p)
	if !strings.Contains(name, "/") && !isQuotaResource(name) {
		errs = append(errs, field.Invalid(p, named(name), "must be a standard resource for quota"))
	}
	return errs
}

// isQuotaResource reports whether quota counts a resource by its unqualified
// name: all standard resources but storage.
func isQuotaResource(name string) bool { return isStandardResource(name) && name != "storage" }

func quotaScopes(spec tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	scopes := tree.List(spec, "scopes")
	for _, s := range stringsOf(scopes) {
		if !isQuotaScope(s) {
			errs = append(errs, field.Invalid(p, scopes, "unsupported scope"))
		}
		if hasResourceBeyondScope(spec, s) {
			errs = append(errs, field.Invalid(p, scopes, "unsupported scope applied to resource"))
		}
	}
	return append(errs, conflictingScopes(stringsOf(scopes), scopes, p)...)
}

// conflictingScopes checks that no two of the scopes exclude each other.
func conflictingScopes(scopes []string, value any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, s := range []string{"BestEffort", "Terminating"} {
		if slices.Contains(scopes, s) && slices.Contains(scopes, "Not"+s) {
			errs = append(errs, field.Invalid(p, value, "conflicting scopes"))
		}
	}
	return errs
}

func isQuotaScope(s string) bool {
	switch s {
	case "Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "PriorityClass", "VolumeAttributesClass", "CrossNamespacePodAffinity":
		return true
	}
	return false
}

// hasResourceBeyondScope reports whether the quota limits a standard resource
// that has nothing to do with the scope.
//
// Source: IsResourceQuotaScopeValidForResource of pkg/apis/core/helper.
func hasResourceBeyondScope(spec tree.Object, scope string) bool {
	var within []string
	switch scope {
	case "Terminating", "NotTerminating", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity":
		within = []string{"pods", "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"}
	case "BestEffort":
		within = []string{"pods"}
	case "VolumeAttributesClass":
		within = []string{"persistentvolumeclaims", "requests.storage"}
	default:
		return false
	}
	for name := range tree.Map(spec, "hard") {
		if isQuotaResource(name) && !slices.Contains(within, name) {
			return true
		}
	}
	return false
}

func scopeSelector(spec tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	var scopes []string
	for _, req := range tree.List(spec, "scopeSelector", "matchExpressions") {
		scope := tree.String(req, "scopeName")
		scopes = append(scopes, scope)
		if !isQuotaScope(scope) {
			errs = append(errs, field.Invalid(p.Child("scopeName"), named(scope), "unsupported scope"))
		}
		if hasResourceBeyondScope(spec, scope) {
			errs = append(errs, field.Invalid(p, schema.Internal("core/v1.ScopeSelector", spec["scopeSelector"]), "unsupported scope applied to resource"))
		}
		errs = append(errs, scopeRequirement(req, scope, p)...)
	}
	return append(errs, conflictingScopes(scopes, tree.List(spec, "scopes"), p)...)
}

func scopeRequirement(req any, scope string, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	operator, values := tree.String(req, "operator"), tree.List(req, "values")
	switch scope {
	case "BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "CrossNamespacePodAffinity":
		if operator != "Exists" {
			errs = append(errs, field.Invalid(p.Child("operator"), named(operator), "must be 'Exists' when scope is any of "+
				"ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, "+
				"ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"))
		}
	}
	switch operator {
	case "In", "NotIn":
		if len(values) == 0 {
			errs = append(errs, field.Required(p.Child("values"), "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"))
		}
	case "Exists", "DoesNotExist":
		if len(values) > 0 {
			errs = append(errs, field.Invalid(p.Child("values"), values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"))
		}
	default:
		errs = append(errs, field.Invalid(p.Child("operator"), named(operator), "not a valid selector operator"))
	}
	return errs
}
