package validation

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/server/custom"
	"threeway/merge/tree"
)

// schemaDefaults checks that the defaults in a structural schema conform to
// it. Those of metadata, which only embedded resources may have, are left out.
//
// Source: ValidateDefaults of
// k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting.
func schemaDefaults(s tree.Object, requirePruned bool, p *field.Path) field.ErrorList {
	if s == nil {
		return nil
	}
	var errs field.ErrorList
	if value := s["default"]; value != nil {
		errs = append(errs, schemaDefault(s, value, requirePruned, p.Child("default"))...)
	}
	errs = append(errs, schemaDefaults(tree.Map(s, "items"), requirePruned, p.Child("items"))...)
	properties := tree.Map(s, "properties")
	for _, name := range sortedKeys(properties) {
		if name != "metadata" {
			errs = append(errs, schemaDefaults(tree.Map(properties[name]), requirePruned, p.Child("properties").Key(name))...)
		}
	}
	return errs
}

// schemaDefault checks one default, as the field of a custom resource that
// has nothing else.
func schemaDefault(s tree.Object, value any, requirePruned bool, p *field.Path) field.ErrorList {
	const key = "default"
	if format := tree.String(s, "format"); format != "" && !slices.Contains(schemaTypes(), tree.String(s, "type")) {
		// Unlike that of a custom resource, the check of a default puts any
		// format of a number before the type.
		if number := goNumber(value); number != "" && number != format {
			return field.ErrorList{field.Invalid(p, number, fmt.Sprintf(" in body must be of type %s: %q", format, number))}
		}
	}
	root := tree.Object{"type": "object", "properties": tree.Object{key: withoutDefaults(s)}}
	definition, err := custom.Compile(tree.Object{"spec": tree.Object{
		"group": "validation", "scope": "Cluster", "names": tree.Object{"kind": "Validation", "plural": "validations"},
		"versions": []any{tree.Object{"name": "v1", "served": true, "storage": true, "schema": tree.Object{"openAPIV3Schema": root}}},
	}}, custom.Checks{})
	if err != nil {
		return nil
	}
	result := definition.Create("v1", tree.Object{"apiVersion": "validation/v1", "kind": "Validation", key: value})
	var errs field.ErrorList
	if len(result.Unknown) > 0 && requirePruned {
		errs = append(errs, field.Invalid(p, value, "must not have unknown fields"))
	}
	for _, e := range result.Errors {
		within, ok := strings.CutPrefix(e.Field, key)
		if !ok {
			continue
		}
		at := p
		if within != "" {
			at = p.Child(strings.TrimPrefix(within, "."))
		}
		e.Field = at.String()
		e.Detail = strings.TrimPrefix(strings.TrimPrefix(e.Detail, key), ".")
		errs = append(errs, e)
	}
	return errs
}

// goNumber is the Go type that a number decodes to, "" for other values.
func goNumber(v any) string {
	switch v.(type) {
	case int64:
		return "int64"
	case float64:
		return "float64"
	}
	return ""
}

// withoutDefaults copies a schema without the defaults in it: the server
// checks a default before others have completed it.
func withoutDefaults(s tree.Object) tree.Object {
	s = tree.CopyObject(s)
	var strip func(tree.Object)
	strip = func(s tree.Object) {
		delete(s, "default")
		for _, sub := range schemasIn(s) {
			strip(sub)
		}
	}
	strip(s)
	return s
}
