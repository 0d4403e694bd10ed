package validation

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// flowSchema checks a FlowSchema, new or changed. Source of this file:
// pkg/apis/flowcontrol/validation.
func flowSchema(r *Request) field.ErrorList {
	const lowest = 10_000
	errs := clusterMeta(r, nameIsDNSSubdomain)
	p := field.NewPath("spec")
	spec := tree.Map(r.Object, "spec")
	at := p.Child("matchingPrecedence")
	precedence, _ := tree.Int(spec, "matchingPrecedence")
	if precedence <= 0 {
		errs = append(errs, field.Invalid(at, precedence, "must be a positive value"))
	}
	if precedence > lowest {
		errs = append(errs, field.Invalid(at, precedence, "must not be greater than 10000"))
	}
	if precedence == 1 && tree.String(r.Object, "metadata", "name") != exempt {
		errs = append(errs, field.Invalid(at, precedence, "only the schema named 'exempt' may have matchingPrecedence 1"))
	}
	if method := tree.Map(spec, "distinguisherMethod"); method != nil &&
		!slices.Contains([]string{"ByNamespace", "ByUser"}, tree.String(method, "type")) {
		errs = append(errs, field.NotSupported(p.Child("distinguisherMethod", "type"),
			schema.Internal("flowcontrol/v1.FlowDistinguisherMethod", method), []string{"ByNamespace", "ByUser"}))
	}
	at = p.Child("priorityLevelConfiguration", "name")
	if level := tree.String(spec, "priorityLevelConfiguration", "name"); level != "" {
		errs = append(errs, dns1123Subdomain(level, at)...)
	} else {
		errs = append(errs, field.Required(at, "must reference a priority level"))
	}
	errs = append(errs, each(tree.List(spec, "rules"), p.Child("rules"), flowRule)...)
	return append(errs, fixedFlowSpec(r, "flowcontrol/v1.FlowSchemaSpec", builtinFlowSchema)...)
}

func flowRule(rule any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	subjects := tree.List(rule, "subjects")
	if len(subjects) == 0 {
		errs = append(errs, field.Required(p.Child("subjects"), "subjects must contain at least one value"))
	}
	errs = append(errs, each(subjects, p.Child("subjects"), flowSubject)...)
	resources, others := tree.List(rule, "resourceRules"), tree.List(rule, "nonResourceRules")
	if len(resources) == 0 && len(others) == 0 {
		errs = append(errs, field.Required(p, "at least one of resourceRules and nonResourceRules has to be non-empty"))
	}
	errs = append(errs, each(resources, p.Child("resourceRules"), flowResourceRule)...)
	return append(errs, each(others, p.Child("nonResourceRules"), flowNonResourceRule)...)
}

// flowSubject checks that a subject has the field of its kind, and no other.
func flowSubject(s any, p *field.Path) field.ErrorList {
	kinds := []struct{ kind, key string }{{"ServiceAccount", "serviceAccount"}, {"User", "user"}, {"Group", "group"}}
	var errs, others field.ErrorList
	kind := tree.String(s, "kind")
	known := false
	for _, k := range kinds {
		at := p.Child(k.key)
		switch has := tree.Has(s, k.key); {
		case k.kind != kind && has:
			others = append(others, field.Forbidden(at, k.key+" is forbidden when subject kind is not '"+k.kind+"'"))
		case k.kind == kind && !has:
			errs = append(errs, field.Required(at, k.key+" is required when subject kind is '"+kind+"'"))
		case k.kind == kind:
			errs = append(errs, flowSubjectName(tree.Map(s, k.key), kind, at)...)
		}
		known = known || k.kind == kind
	}
	if !known {
		return field.ErrorList{field.NotSupported(p.Child("kind"), named(kind), []string{"Group", "ServiceAccount", "User"})}
	}
	return append(errs, others...)
}

func flowSubjectName(s tree.Object, kind string, p *field.Path) field.ErrorList {
	errs := required(s, p, "name")
	if kind != "ServiceAccount" {
		return errs
	}
	if name := tree.String(s, "name"); name != "" && name != "*" {
		errs = append(errs, dns1123Subdomain(name, p.Child("name"))...)
	}
	if ns := tree.String(s, "namespace"); ns != "" {
		return append(errs, dns1123Label(ns, p.Child("namespace"))...)
	}
	return append(errs, field.Required(p.Child("namespace"), "must specify namespace for service account"))
}

func flowResourceRule(rule any, p *field.Path) field.ErrorList {
	errs := flowVerbs(tree.List(rule, "verbs"), p.Child("verbs"))
	for _, list := range []struct{ key, one, many string }{
		{"apiGroups", "api group", "api groups"},
		{"resources", "resource", "resources"},
	} {
		values := tree.List(rule, list.key)
		if len(values) == 0 {
			errs = append(errs, field.Required(p.Child(list.key), "resource rules must supply at least one "+list.one))
			continue
		}
		errs = append(errs, wildcardAlone(values, list.many, p.Child(list.key))...)
	}
	at := p.Child("namespaces")
	namespaces := tree.List(rule, "namespaces")
	if len(namespaces) == 0 && !tree.Bool(rule, "clusterScope") {
		return append(errs, field.Required(at, "resource rules that are not cluster scoped must supply at least one namespace"))
	}
	if slices.Contains(namespaces, any("*")) {
		return append(errs, wildcardAlone(namespaces, "namespaces", at)...)
	}
	for i, ns := range stringsOf(namespaces) {
		for _, msg := range nameIsDNSLabel(ns, false) {
			errs = append(errs, field.Invalid(at.Index(i), ns, "each member of this list must be '*' or a DNS-1123 label; "+msg))
		}
	}
	return errs
}

func flowNonResourceRule(rule any, p *field.Path) field.ErrorList {
	errs := flowVerbs(tree.List(rule, "verbs"), p.Child("verbs"))
	at := p.Child("nonResourceURLs")
	urls := tree.List(rule, "nonResourceURLs")
	if len(urls) == 0 {
		return append(errs, field.Required(at, "nonResourceURLs must contain at least one value"))
	}
	if slices.Contains(urls, any("*")) {
		return append(errs, wildcardAlone(urls, "non-resource URLs", at)...)
	}
	for i, url := range stringsOf(urls) {
		if problem := nonResourceURL(url); problem != "" {
			errs = append(errs, field.Invalid(at.Index(i), url, problem))
		}
	}
	return errs
}

// wildcardAlone checks that there is nothing beside "*".
func wildcardAlone(list []any, what string, p *field.Path) field.ErrorList {
	if len(list) > 1 && slices.Contains(list, any("*")) {
		return field.ErrorList{field.Invalid(p, list, "if '*' is present, must not specify other "+what)}
	}
	return nil
}

func flowVerbs(verbs []any, p *field.Path) field.ErrorList {
	known := []string{"create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"}
	if len(verbs) == 0 {
		return field.ErrorList{field.Required(p, "verbs must contain at least one value")}
	}
	if slices.Contains(verbs, any("*")) {
		return wildcardAlone(verbs, "verbs", p)
	}
	for _, v := range stringsOf(verbs) {
		if !slices.Contains(known, v) {
			return field.ErrorList{field.NotSupported(p, verbs, known)}
		}
	}
	return nil
}

// nonResourceURL tells what is wrong with a path that is no resource's.
func nonResourceURL(path string) string {
	stars := strings.Count(path, "*")
	switch {
	case path == "":
		return "must not be empty"
	case path == "/":
		return ""
	case !strings.HasPrefix(path, "/"):
		return "must start with slash"
	case strings.Contains(path, " "):
		return "must not contain white-space"
	case strings.Contains(path, "//"):
		return "must not contain double slash"
	case stars > 1, stars == 1 && !strings.HasSuffix(path, "/*"):
		return "wildcard can only do suffix matching"
	}
	return ""
}
