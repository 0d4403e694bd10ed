package validation

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Source of this file: pkg/apis/admissionregistration/validation.

// hasOldMatchConditions reports whether an update leaves alone what could
// make the match conditions of a policy invalid.
func hasOldMatchConditions(r *Request) bool {
	spec, old := tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec")
	return r.Old != nil && sameAt(spec, old, "paramKind") && sameAt(spec, old, "matchConditions")
}

func validatingPolicy(r *Request) field.ErrorList {
	errs := genericClusterMeta(r)
	spec, p := tree.Map(r.Object, "spec"), field.NewPath("spec")
	x := policyExpressions(r, false)
	errs = append(errs, policyScope(spec, nil, hasOldMatchConditions(r), x, p)...)
	validations, annotations := tree.List(spec, "validations"), tree.List(spec, "auditAnnotations")
	if len(validations) == 0 && len(annotations) == 0 {
		const oneItem = "validations or auditAnnotations must contain at least one item"
		return append(errs, field.Required(p.Child("validations"), oneItem), field.Required(p.Child("auditAnnotations"), oneItem))
	}
	for i, v := range validations {
		errs = append(errs, policyValidation(v, x, p.Child("validations").Index(i))...)
	}
	return append(errs, auditAnnotations(annotations, tree.String(r.Object, "metadata", "name"), x, p.Child("auditAnnotations"))...)
}

// policyScope checks what both kinds of policies start with; operations lists
// those that the kind can handle, if not all.
func policyScope(spec tree.Object, operations []string, ignoreMatchConditions bool, x *expressions, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	errs = append(errs, oneOfAt(spec, "failurePolicy", p, "Fail", "Ignore")...)
	if tree.Has(spec, "paramKind") {
		errs = append(errs, paramKind(tree.Map(spec, "paramKind"), p.Child("paramKind"))...)
	}
	at := p.Child("matchConstraints")
	if constraints := tree.Map(spec, "matchConstraints"); constraints == nil {
		errs = append(errs, field.Required(at, ""))
	} else {
		errs = append(errs, matchResources(constraints, at)...)
		if len(tree.List(constraints, "resourceRules")) == 0 {
			errs = append(errs, field.Required(at.Child("resourceRules"), ""))
		}
		errs = append(errs, policyOperations(constraints, operations, at)...)
	}
	if !ignoreMatchConditions {
		errs = append(errs, matchConditions(tree.List(spec, "matchConditions"), x, p.Child("matchConditions"))...)
	}
	for i, v := range tree.List(spec, "variables") {
		errs = append(errs, policyVariable(v, x, p.Child("variables").Index(i))...)
	}
	return errs
}

func policyOperations(match tree.Object, operations []string, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, rule := range tree.List(match, "resourceRules") {
		for _, op := range stringsOf(tree.List(rule, "operations")) {
			if operations != nil {
				errs = append(errs, oneOf(op, p.Child("resourceRules", "operations"), operations...)...)
			}
		}
	}
	return errs
}

func paramKind(kind tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	at, apiVersion, name := p.Child("apiVersion"), tree.String(kind, "apiVersion"), tree.String(kind, "kind")
	group, version, found := strings.Cut(apiVersion, "/")
	if !found {
		group, version = "", apiVersion
	}
	switch {
	case apiVersion == "":
		errs = append(errs, field.Required(at, ""))
	case strings.Contains(version, "/"):
		errs = append(errs, field.Invalid(at, apiVersion, "unexpected GroupVersion string: "+apiVersion))
	default:
		if msgs := isDNS1123Subdomain(group); group != "" && len(msgs) > 0 {
			errs = append(errs, field.Invalid(at, group, strings.Join(msgs, ",")))
		}
		if version == "" {
			errs = append(errs, field.Invalid(at, apiVersion, "version must be specified"))
		} else if msgs := isDNS1035Label(version); len(msgs) > 0 {
			errs = append(errs, field.Invalid(at, version, strings.Join(msgs, ",")))
		}
	}
	if name == "" {
		return append(errs, field.Required(p.Child("kind"), ""))
	}
	return append(errs, kindName(name, p.Child("kind"))...)
}

// kindName checks the name of a kind, in which upper case is fine.
func kindName(name string, p *field.Path) field.ErrorList {
	if msgs := isDNS1035Label(strings.ToLower(name)); len(msgs) > 0 {
		return field.ErrorList{field.Invalid(p, name, "may have mixed case, but should otherwise match: "+strings.Join(msgs, ","))}
	}
	return nil
}

func matchResources(match tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	errs = append(errs, oneOfAt(match, "matchPolicy", p, "Equivalent", "Exact")...)
	for _, key := range []string{"namespaceSelector", "objectSelector"} {
		errs = append(errs, labelSelector(match[key], selectorOptions{}, p.Child(key))...)
	}
	for _, key := range []string{"resourceRules", "excludeResourceRules"} {
		for i, rule := range tree.List(match, key) {
			at := p.Child(key).Index(i)
			errs = append(errs, ruleResourceNames(stringsOf(tree.List(rule, "resourceNames")), at.Child("resourceNames"))...)
			errs = append(errs, admissionRule(rule, at)...)
		}
	}
	return errs
}

func ruleResourceNames(names []string, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, name := range names {
		errs = append(errs, invalidEach(p.Index(i), name, content.IsPathSegmentName(name))...)
		if slices.Contains(names[:i], name) {
			errs = append(errs, field.Duplicate(p.Index(i), name))
		}
	}
	return errs
}

func policyVariable(v any, x *expressions, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	name := tree.String(v, "name")
	if strings.TrimSpace(name) == "" {
		errs = append(errs, field.Required(p.Child("name"), "name is not specified"))
	} else if !isCELIdentifier(name) {
		errs = append(errs, field.Invalid(p.Child("name"), name, "must be a valid CEL identifier"))
	}
	expression := tree.String(v, "expression")
	if strings.TrimSpace(expression) == "" {
		return append(errs, field.Required(p.Child("expression"), "expression is not specified"))
	}
	return append(errs, x.variable(name, expression, p.Child("expression"))...)
}

func isCELIdentifier(name string) bool {
	switch name {
	case "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let",
		"loop", "package", "namespace", "return", "var", "void", "while":
		return false
	}
	return regexp.MustCompile(`^[_a-zA-Z][_a-zA-Z0-9]*$`).MatchString(name)
}

func policyValidation(v any, x *expressions, p *field.Path) field.ErrorList {
	const notEmpty = "must be non-empty if specified"
	var errs field.ErrorList
	if expr := tree.String(v, "expression"); strings.TrimSpace(expr) == "" {
		errs = append(errs, field.Required(p.Child("expression"), "expression is not specified"))
	} else {
		errs = append(errs, x.validation(expr, p.Child("expression"))...)
	}
	if expr := tree.String(v, "messageExpression"); strings.TrimSpace(expr) != "" {
		errs = append(errs, x.message(expr, p.Child("messageExpression"))...)
	} else if expr != "" {
		errs = append(errs, field.Invalid(p.Child("messageExpression"), expr, notEmpty))
	}
	message := tree.String(v, "message")
	if trimmed := strings.TrimSpace(message); message != "" && trimmed == "" {
		errs = append(errs, field.Invalid(p.Child("message"), message, notEmpty))
	} else if strings.ContainsAny(trimmed, "\n\r") {
		errs = append(errs, field.Invalid(p.Child("message"), message, "must not contain line breaks"))
	}
	return append(errs, oneOfAt(v, "reason", p, "Forbidden", "Invalid", "RequestEntityTooLarge")...)
}

func auditAnnotations(annotations []any, policy string, x *expressions, p *field.Path) field.ErrorList {
	const most, mostBytes = 20, 5 << 10
	var errs field.ErrorList
	if len(annotations) > most {
		errs = append(errs, field.Invalid(p, schema.Internal("[]admissionregistration/v1.AuditAnnotation", annotations), "must not have more than 20 auditAnnotations"))
	}
	keys := map[string]bool{}
	for i, a := range annotations {
		at, key := p.Index(i), tree.String(a, "key")
		errs = append(errs, qualifiedName(policy+"/"+key, at.Child("key"))...)
		if value := strings.TrimSpace(tree.String(a, "valueExpression")); value == "" {
			errs = append(errs, field.Required(at.Child("valueExpression"), "valueExpression is not specified"))
		} else if len(value) > mostBytes {
			errs = append(errs, field.Required(at.Child("valueExpression"), "must not exceed 5120 bytes in length"))
		} else {
			errs = append(errs, x.annotation(tree.String(a, "valueExpression"), at.Child("valueExpression"))...)
		}
		if keys[key] {
			errs = append(errs, field.Duplicate(at.Child("key"), key))
		}
		keys[key] = true
	}
	return errs
}
