package validation

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// admissionRule checks which requests a webhook or policy is asked about.
//
// Source: validateRuleWithOperations of
// pkg/apis/admissionregistration/validation.
func admissionRule(rule any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	operations := stringsOf(tree.List(rule, "operations"))
	at := p.Child("operations")
	if len(operations) == 0 {
		errs = append(errs, field.Required(at, ""))
	}
	errs = append(errs, noneBesideAll(operations, "operations", at)...)
	for i, op := range operations {
		errs = append(errs, oneOf(op, at.Index(i), "*", "CONNECT", "CREATE", "DELETE", "UPDATE")...)
	}

	groups := stringsOf(tree.List(rule, "apiGroups"))
	if len(groups) == 0 {
		errs = append(errs, field.Required(p.Child("apiGroups"), ""))
	}
	errs = append(errs, noneBesideAll(groups, "API groups", p.Child("apiGroups"))...)

	versions := stringsOf(tree.List(rule, "apiVersions"))
	at = p.Child("apiVersions")
	if len(versions) == 0 {
		errs = append(errs, field.Required(at, ""))
	}
	errs = append(errs, noneBesideAll(versions, "API versions", at)...)
	for i, v := range versions {
		if v == "" {
			errs = append(errs, field.Required(at.Index(i), ""))
		}
	}
	errs = append(errs, admissionResources(stringsOf(tree.List(rule, "resources")), p.Child("resources"))...)
	return append(errs, oneOfAt(rule, "scope", p, "*", "Cluster", "Namespaced")...)
}

// noneBesideAll checks that "*" stands alone.
func noneBesideAll(values []string, what string, p *field.Path) field.ErrorList {
	if len(values) > 1 && slices.Contains(values, "*") {
		return field.ErrorList{field.Invalid(p, values, "if '*' is present, must not specify other "+what)}
	}
	return nil
}

// admissionResources checks a list of resources and subresources ("pods",
// "pods/log", "pods/*", "*/scale", "*", "*/*") for entries that others cover.
func admissionResources(resources []string, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(resources) == 0 {
		errs = append(errs, field.Required(p, ""))
	}
	allOf, everywhere := map[string]bool{}, map[string]bool{} // "x/*", "*/x"
	endsInResource := false
	for i, r := range resources {
		if r == "" {
			errs = append(errs, field.Required(p.Index(i), ""))
			continue
		}
		resource, sub, found := strings.Cut(r, "/")
		if !found {
			endsInResource = r != "*"
			continue
		}
		if allOf[resource] {
			errs = append(errs, field.Invalid(p.Index(i), r, fmt.Sprintf("if '%s/*' is present, must not specify %s", resource, r)))
		}
		if everywhere[sub] {
			errs = append(errs, field.Invalid(p.Index(i), r, fmt.Sprintf("if '*/%s' is present, must not specify %s", sub, r)))
		}
		allOf[resource] = allOf[resource] || sub == "*"
		everywhere[sub] = everywhere[sub] || resource == "*"
	}
	if len(resources) > 1 && slices.Contains(resources, "*/*") {
		errs = append(errs, field.Invalid(p, resources, "if '*/*' is present, must not specify other resources"))
	}
	if slices.Contains(resources, "*") && endsInResource {
		errs = append(errs, field.Invalid(p, resources, "if '*' is present, must not specify other resources without subresources"))
	}
	return errs
}
