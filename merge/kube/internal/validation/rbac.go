package validation

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

const rbacGroup = "rbac.authorization.k8s.io"

// roleRules checks those of a Role. Source of this file: pkg/apis/rbac/validation.
func roleRules(r *Request) field.ErrorList { return policyRules(tree.List(r.Object, "rules"), true) }

func clusterRole(r *Request) field.ErrorList {
	errs := clusterMeta(r, rbacName)
	errs = append(errs, policyRules(tree.List(r.Object, "rules"), false)...)
	if !tree.Has(r.Object, "aggregationRule") {
		return errs
	}
	p := field.NewPath("aggregationRule", "clusterRoleSelectors")
	selectors := tree.List(r.Object, "aggregationRule", "clusterRoleSelectors")
	opts := selectorOptions{allowInvalidLabelValue: slices.ContainsFunc(tree.List(r.Old, "aggregationRule", "clusterRoleSelectors"), hasInvalidLabelValue)}
	if len(selectors) == 0 {
		errs = append(errs, field.Required(p, "at least one clusterRoleSelector required if aggregationRule is non-nil"))
	}
	for i, s := range selectors {
		errs = append(errs, labelSelector(s, opts, p.Index(i))...)
		if !selectorParses(s) {
			errs = append(errs, field.Invalid(p.Index(i), nil, "invalid label selector."))
		}
	}
	return errs
}

// rbacName allows everything that can stand in a URL, as a prefix too.
func rbacName(name string, _ bool) []string { return pathSegmentName(name, false) }

func policyRules(rules []any, namespaced bool) field.ErrorList {
	var errs field.ErrorList
	for i, rule := range rules {
		errs = append(errs, policyRule(rule, namespaced, field.NewPath("rules").Index(i))...)
	}
	return errs
}

func policyRule(rule any, namespaced bool, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	empty := func(key string) bool { return len(tree.List(rule, key)) == 0 }
	if empty("verbs") {
		errs = append(errs, field.Required(p.Child("verbs"), "verbs must contain at least one value"))
	}
	if urls := tree.List(rule, "nonResourceURLs"); len(urls) > 0 {
		if namespaced {
			errs = append(errs, field.Invalid(p.Child("nonResourceURLs"), urls, "namespaced rules cannot apply to non-resource URLs"))
		}
		if !empty("apiGroups") || !empty("resources") || !empty("resourceNames") {
			errs = append(errs, field.Invalid(p.Child("nonResourceURLs"), urls,
				"rules cannot apply to both regular resources and non-resource URLs"))
		}
		return errs
	}
	if empty("apiGroups") {
		errs = append(errs, field.Required(p.Child("apiGroups"), "resource rules must supply at least one api group"))
	}
	if empty("resources") {
		errs = append(errs, field.Required(p.Child("resources"), "resource rules must supply at least one resource"))
	}
	return errs
}

var (
	roleBinding        = inOrder(namespaced(rbacName), roleRef("Role", "ClusterRole"), subjects)
	clusterRoleBinding = inOrder(cluster(rbacName), roleRef("ClusterRole"), subjects)
)

func sameRoleRef(r *Request) field.ErrorList {
	errs := updatedMeta(r)
	for _, key := range []string{"apiGroup", "kind", "name"} {
		if tree.String(r.Object, "roleRef", key) != tree.String(r.Old, "roleRef", key) {
			ref := schema.Internal("rbac/v1.RoleRef", tree.Map(r.Object, "roleRef"))
			return append(errs, fixed(field.Invalid(field.NewPath("roleRef"), ref, "cannot change roleRef")))
		}
	}
	return errs
}

func roleRef(kinds ...string) validate {
	return func(r *Request) field.ErrorList {
		p, ref := field.NewPath("roleRef"), tree.Map(r.Object, "roleRef")
		errs := plain(oneOf(tree.String(ref, "apiGroup"), p.Child("apiGroup"), rbacGroup))
		errs = append(errs, plain(oneOf(tree.String(ref, "kind"), p.Child("kind"), kinds...))...)
		name := tree.String(ref, "name")
		if name == "" {
			return append(errs, field.Required(p.Child("name"), ""))
		}
		return append(errs, invalidEach(p.Child("name"), name, rbacName(name, false))...)
	}
}

// subjects checks those of a binding, which of a ClusterRoleBinding need a namespace.
func subjects(r *Request) field.ErrorList {
	var errs field.ErrorList
	for i, s := range tree.List(r.Object, "subjects") {
		errs = append(errs, subject(s, r.Kind.Kind == "RoleBinding", field.NewPath("subjects").Index(i))...)
	}
	return errs
}

func subject(s any, namespaced bool, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	name, group := tree.String(s, "name"), tree.String(s, "apiGroup")
	if name == "" {
		errs = append(errs, field.Required(p.Child("name"), ""))
	}
	switch kind := tree.String(s, "kind"); kind {
	case "ServiceAccount":
		if name != "" {
			errs = append(errs, invalidEach(p.Child("name"), name, nameIsDNSSubdomain(name, false))...)
		}
		errs = append(errs, plain(oneOf(group, p.Child("apiGroup"), ""))...)
		if !namespaced && tree.String(s, "namespace") == "" {
			errs = append(errs, field.Required(p.Child("namespace"), ""))
		}
	case "User", "Group":
		errs = append(errs, plain(oneOf(group, p.Child("apiGroup"), rbacGroup))...)
	default:
		errs = append(errs, plain(oneOf(kind, p.Child("kind"), "ServiceAccount", "User", "Group"))...)
	}
	return errs
}
