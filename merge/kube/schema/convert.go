package schema

import (
	"maps"

	"threeway/merge/tree"
)

// This file has the conversions from versioned to internal types that do more
// than copy fields of the same Go name. A test compares the field names of
// all types, so that no other is missed.

// lifted are the fields of the versioned PodSpec that are in the security
// context of the internal one. Upstream: pkg/apis/core/v1/conversion.go.
var lifted = []string{"hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"}

// lift prepares an object of the versioned type for its internal twin.
func lift(versioned *Type, m tree.Object) tree.Object {
	switch versioned.Name {
	case "core/v1.PodSpec":
		return liftPodSpec(m)
	case "apiextensions/v1.CustomResourceConversion":
		return liftConversion(m)
	}
	return m
}

func liftPodSpec(m tree.Object) tree.Object {
	context := tree.Object{}
	maps.Copy(context, tree.Map(m, "securityContext"))
	for _, name := range lifted {
		if v, ok := m[name]; ok {
			context[name] = v
		}
	}
	spec := maps.Clone(m)
	if spec == nil {
		spec = tree.Object{}
	}
	spec["securityContext"] = context
	if tree.String(spec, "serviceAccountName") == "" {
		spec["serviceAccountName"] = spec["serviceAccount"]
	}
	return spec
}

// liftConversion flattens spec.conversion.webhook of a definition.
// Upstream: apiextensions/v1/conversion.go.
func liftConversion(m tree.Object) tree.Object {
	flat := maps.Clone(m)
	if hook := tree.Map(m, "webhook"); hook != nil {
		flat["webhookClientConfig"] = hook["clientConfig"]
		flat["conversionReviewVersions"] = hook["conversionReviewVersions"]
	}
	return flat
}

// hoisted are the fields of a definition's versions that the internal type has
// only once if all versions agree.
var hoisted = []string{"subresources", "schema", "additionalPrinterColumns", "selectableFields"}

// hoist removes from the versions of a definition the fields that are the same
// in all. Upstream: apiextensions/v1/conversion.go.
func hoist(elem *Type, versions []any) []any {
	if elem.Name != "apiextensions/v1.CustomResourceDefinitionVersion" || len(versions) == 0 {
		return versions
	}
	rest := make([]any, len(versions))
	for i, v := range versions {
		rest[i] = maps.Clone(tree.Map(v))
	}
	for _, name := range hoisted {
		first := tree.Map(versions[0])[name]
		same := true
		for _, v := range versions {
			same = same && alike(tree.Map(v)[name], first)
		}
		for _, v := range rest {
			if same {
				delete(tree.Map(v), name)
			}
		}
	}
	return rest
}

// alike compares as the server does: a missing list equals an empty list, but a
// missing object does not equal an empty one.
func alike(a, b any) bool {
	list, _ := a.([]any)
	other, _ := b.([]any)
	if (a == nil || list != nil) && (b == nil || other != nil) && len(list)+len(other) == 0 {
		return true
	}
	return tree.Equal(a, b)
}

// unite converts the JSON of a union in a definition's schema to an object of
// its Go struct. Upstream: apiextensions/v1/marshal.go.
func unite(versioned *Type, v any) (any, *Type) {
	var other Field
	switch versioned.Form {
	case SchemaOrBool:
		other = Field{Name: "allows", Go: "Allows"}
	case SchemaOrArray:
		other = Field{Name: "jsonSchemas", Go: "JSONSchemas", Type: &Type{Form: List, Elem: versioned.Elem}}
	case SchemaOrStrings:
		other = Field{Name: "property", Go: "Property", Type: &Type{Form: List, Elem: &Type{Form: String}}}
	default:
		return v, versioned
	}
	union := &Type{Fields: []Field{{Name: "schema", Go: "Schema", Type: versioned.Elem}, other}}
	if _, ok := v.(map[string]any); !ok {
		return tree.Object{other.Name: v}, union
	}
	object := tree.Object{"schema": v}
	if versioned.Form == SchemaOrBool {
		object["allows"] = true
	}
	return object, union
}
