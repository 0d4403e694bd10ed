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
// it. Those of the metadata of embedded resources are left out.
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
		if name != "metadata" || !tree.Bool(s, embedded) {
			errs = append(errs, schemaDefaults(tree.Map(properties[name]), requirePruned, p.Child("properties").Key(name))...)
		}
	}
	return errs
}

// schemaDefault checks one default, as the field of a custom resource that
// has nothing else.
func schemaDefault(s tree.Object, value any, requirePruned bool, p *field.Path) field.ErrorList {
	const key = "default"
	if typ, format := tree.String(s, "type"), tree.String(s, "format"); format != "" && !slices.Contains(schemaTypes(), typ) {
		// Unlike that of a custom resource, the check of a default puts any
		// format of a number before the type.
		switch number, kind := goNumber(value); {
		case number == format:
			return field.ErrorList{field.Invalid(p, kind, fmt.Sprintf(" in body must be of type %s: %q", typ, kind))}
		case number != "":
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
		at := p
		if within := strings.TrimPrefix(e.Field, key); within != e.Field && within != "" {
			at = p.Child(strings.TrimPrefix(within, "."))
		}
		e.Field = at.String()
		if what, within, ok := strings.Cut(e.Detail, " in "+key); ok { // about a number, without a field
			e.Detail = what + " in " + strings.TrimPrefix(within, ".")
		}
		e.Detail = strings.TrimPrefix(strings.TrimPrefix(e.Detail, key), ".")
		errs = append(errs, e)
	}
	return errs
}

// goNumber gives the Go type that a number decodes to and the type that it has
// in a schema, "" for other values.
func goNumber(v any) (golang, kind string) {
	switch v.(type) {
	case int64:
		return "int64", "integer"
	case float64:
		return "float64", "number"
	}
	return "", ""
}

// withoutDefaults copies a schema without the defaults in it: the server
// checks a default before others have completed it. Nor does it know then that
// a value must be an integer or a string.
func withoutDefaults(s tree.Object) tree.Object {
	s = tree.CopyObject(s)
	var strip func(tree.Object)
	strip = func(s tree.Object) {
		delete(s, "default")
		delete(s, intOrString)
		for _, sub := range schemasIn(s) {
			strip(sub)
		}
	}
	strip(s)
	return s
}
