package validation

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// maxDeviceList is how many elements most lists of the resource API may have.
const maxDeviceList = 32

// Source of this file: pkg/apis/resource/validation.
func deviceClassSpec(r *Request) field.ErrorList {
	p, spec := field.NewPath("spec"), tree.Map(r.Object, "spec")
	errs := atMost(maxDeviceList, tree.List(spec, "selectors"), p.Child("selectors"), deviceSelector(r))
	errs = append(errs, atMost(maxDeviceList, tree.List(spec, "config"), p.Child("config"), deviceConfiguration)...)
	if name := tree.String(spec, "extendedResourceName"); tree.Has(spec, "extendedResourceName") && !isExtended(name) {
		errs = append(errs, field.Invalid(p.Child("extendedResourceName"), name, "must be a valid extended resource name"))
	}
	return errs
}

// atMost checks the elements of a list, unless there are more than n.
func atMost(n int, list []any, p *field.Path, check func(any, *field.Path) field.ErrorList) field.ErrorList {
	if len(list) > n {
		return field.ErrorList{field.TooMany(p, len(list), n)}
	}
	return each(list, p, check)
}

// setOf is atMost for a list whose elements must differ in their keys.
func setOf(n int, list []any, key func(any) string, p *field.Path, check func(any, *field.Path) field.ErrorList) field.ErrorList {
	errs := atMost(n, list, p, check)
	if len(list) > n {
		return errs
	}
	seen := map[string]bool{}
	for i, v := range list {
		if k := key(v); seen[k] {
			errs = append(errs, field.Duplicate(p.Index(i), k))
		} else {
			seen[k] = true
		}
	}
	return errs
}

// keyed gives the string at key as the key of a setOf.
func keyed(key string) func(any) string {
	return func(v any) string { return tree.String(v, key) }
}

// itself is the key of a setOf of strings.
func itself(v any) string {
	s, _ := v.(string)
	return s
}

// deviceSelector checks one selector of the request.
func deviceSelector(r *Request) func(any, *field.Path) field.ErrorList {
	const maxBytes = 10 << 10
	return func(selector any, p *field.Path) field.ErrorList {
		if !tree.Has(selector, "cel") {
			return field.ErrorList{field.Required(p.Child("cel"), "")}
		}
		expression, at := tree.String(selector, "cel", "expression"), p.Child("cel", "expression")
		if len(expression) > maxBytes {
			return field.ErrorList{field.TooLong(at, "", maxBytes)}
		}
		return deviceExpression(r, expression, at)
	}
}

// deviceConfiguration checks parameters that only a driver understands.
func deviceConfiguration(config any, p *field.Path) field.ErrorList {
	at := p.Child("opaque")
	if !tree.Has(config, "opaque") {
		return field.ErrorList{field.Required(at, "")}
	}
	errs := csiDriverName(tree.String(config, "opaque", "driver"), at.Child("driver"))
	at = at.Child("parameters")
	switch parameters, _ := tree.Get(config, "opaque", "parameters"); parameters.(type) {
	case nil:
		return append(errs, field.Required(at, ""))
	case tree.Object:
		return errs
	}
	return append(errs, field.Invalid(at, "<value omitted>", "must be a valid JSON object"))
}

// deviceTaint checks a taint of a device.
func deviceTaint(taint any, p *field.Path) field.ErrorList {
	errs := qualifiedName(tree.String(taint, "key"), p.Child("key"))
	value := tree.String(taint, "value")
	errs = append(errs, invalidEach(p.Child("value"), value, isLabelValue(value))...)
	return append(errs, requiredOneOf(tree.String(taint, "effect"), p.Child("effect"), "NoExecute", "NoSchedule", "None")...)
}

// deviceToleration checks which taints of devices a request puts up with.
func deviceToleration(t any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if key := tree.String(t, "key"); key != "" {
		errs = append(errs, qualifiedName(key, p.Child("key"))...)
	}
	value := tree.String(t, "value")
	switch operator := tree.String(t, "operator"); operator {
	case "Exists":
		if value != "" {
			errs = append(errs, field.Invalid(p.Child("value"), value, "must be empty for operator `Exists`"))
		}
	case "Equal":
		errs = append(errs, invalidEach(p.Child("value"), value, isLabelValue(value))...)
	default:
		errs = append(errs, requiredOneOf(operator, p.Child("operator"), "Equal", "Exists")...)
	}
	if effect := tree.String(t, "effect"); effect != "" {
		errs = append(errs, oneOf(effect, p.Child("effect"), "NoExecute", "NoSchedule", "None")...)
	}
	return errs
}

// attributeName checks the name of an attribute or capacity: an identifier,
// perhaps after a domain.
//
// Source: validateQualifiedName.
func attributeName(name string, p *field.Path) field.ErrorList {
	domain, id, qualified := strings.Cut(name, "/")
	if !qualified {
		return deviceIdentifier(name, p)
	}
	if strings.Contains(id, "/") {
		return field.ErrorList{field.Invalid(p, name, severalSlashes)}
	}
	var errs field.ErrorList
	if domain == "" {
		errs = append(errs, field.Invalid(p, "", "the domain must not be empty"))
	} else {
		errs = append(errs, csiDriverName(domain, p)...)
	}
	if id == "" {
		return append(errs, field.Invalid(p, "", "the name must not be empty"))
	}
	return append(errs, deviceIdentifier(id, p)...)
}

// qualifiedAttributeName is attributeName where there has to be a domain.
func qualifiedAttributeName(name string, p *field.Path) field.ErrorList {
	errs := attributeName(name, p)
	if !strings.Contains(name, "/") {
		errs = append(errs, field.Invalid(p, name, "a fully qualified name must be a domain and a name separated by a slash"))
	}
	return errs
}

func deviceIdentifier(id string, p *field.Path) field.ErrorList {
	const maxBytes = 32
	var errs field.ErrorList
	if len(id) > maxBytes {
		errs = append(errs, field.TooLong(p, "", maxBytes))
	}
	return append(errs, invalidEach(p, id, content.IsCIdentifier(id))...)
}

// allocationMode checks how many devices are asked for.
func allocationMode(request any, p *field.Path) field.ErrorList {
	count, _ := tree.Int(request, "count")
	switch mode := tree.String(request, "allocationMode"); mode {
	case "All":
		if count != 0 {
			return field.ErrorList{field.Invalid(p.Child("count"), count, fmt.Sprintf("must not be specified when allocationMode is '%s'", mode))}
		}
		return nil
	case "ExactCount":
		return positive(count, p.Child("count"))
	default:
		return oneOf(mode, p.Child("allocationMode"), "All", "ExactCount")
	}
}
