package validation

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// Source of this file: k8s.io/apiextensions-apiserver/pkg/apiserver/schema
// (convert.go, validation.go, complete.go).

// unstructured tells why a schema cannot be a structural one at all; "" if it
// can.
func unstructured(s tree.Object) string {
	for _, key := range []string{"id", "$schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions"} {
		if tree.Empty(s[key]) && (key != "additionalItems" || s[key] == nil) {
			continue
		}
		if key == "$schema" {
			key = "schema"
		}
		return "OpenAPIV3Schema '" + key + "' is not supported"
	}
	if s[preserve] == false {
		return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
	}
	if len(tree.List(s, "items")) > 0 {
		return "OpenAPIV3Schema 'items' must be a schema, but is an array"
	}
	for _, sub := range schemasIn(s) {
		if problem := unstructured(sub); problem != "" {
			return problem
		}
	}
	return ""
}

// schemasIn are the schemas right within one.
func schemasIn(s tree.Object) []tree.Object {
	var all []tree.Object
	for _, key := range []string{"items", "not", "additionalProperties", "additionalItems"} {
		if sub := tree.Map(s, key); sub != nil {
			all = append(all, sub)
		}
	}
	for _, key := range []string{"items", "allOf", "anyOf", "oneOf"} {
		for _, sub := range tree.List(s, key) {
			all = append(all, tree.Map(sub))
		}
	}
	for _, key := range []string{"properties", "patternProperties", "definitions", "dependencies"} {
		subs := tree.Map(s, key)
		for _, name := range sortedKeys(subs) {
			all = append(all, tree.Map(subs[name]))
		}
	}
	return all
}

// level is what of an object a schema describes.
type level int

const (
	rootLevel level = iota
	itemLevel
	fieldLevel
)

// structural checks that a schema is structural: it tells the type of every
// value outside of allOf, anyOf, oneOf and not.
func structural(root tree.Object, p *field.Path) field.ErrorList {
	errs := append(structuralAt(root, rootLevel, p), completeFor(root, root, p, p)...)
	slices.SortFunc(errs, func(a, b *field.Error) int { return strings.Compare(a.Error(), b.Error()) })
	return errs
}

func structuralAt(s tree.Object, at level, p *field.Path) field.ErrorList {
	if s == nil {
		return nil
	}
	var errs field.ErrorList
	if s["type"] == "array" && tree.Map(s, "items") == nil {
		errs = append(errs, field.Required(p.Child("items"), "must be specified"))
	}
	errs = append(errs, structuralAt(tree.Map(s, "items"), itemLevel, p.Child("items"))...)
	properties := tree.Map(s, "properties")
	for name, sub := range properties {
		errs = append(errs, structuralAt(tree.Map(sub), fieldLevel, p.Child("properties").Key(name))...)
	}
	if s["additionalProperties"] != nil {
		if at == rootLevel {
			errs = append(errs, notAllowed(p.Child("additionalProperties"), "must not be used at the root"))
		}
		errs = append(errs, structuralAt(tree.Map(s, "additionalProperties"), fieldLevel, p.Child("additionalProperties"))...)
	}
	if tree.Bool(s, intOrString) {
		for _, key := range []string{preserve, embedded} {
			if tree.Bool(s, key) {
				errs = append(errs, field.Invalid(p.Child(key), true, "must be false if x-kubernetes-int-or-string is true"))
			}
		}
	}
	skipAnyOf := isIntOrString(s)
	skipFirst := isIntOrString(tree.Map(first(tree.List(s, "allOf"))))
	errs = append(errs, junctors(s, skipAnyOf, skipFirst, p)...)
	errs = append(errs, structuralType(s, at, p)...)
	return append(errs, structuralMeta(s, at, p)...)
}

// isIntOrString recognises the one anyOf that may name types.
func isIntOrString(s tree.Object) bool {
	clauses := tree.List(s, "anyOf")
	return len(clauses) == 2 && hasOnlyType(clauses[0], "integer") && hasOnlyType(clauses[1], "string")
}

func hasOnlyType(s any, typ string) bool {
	for key, v := range tree.Map(s) {
		if key != "type" && !tree.Empty(v) {
			return false
		}
	}
	return tree.String(s, "type") == typ
}

func structuralType(s tree.Object, at level, p *field.Path) field.ErrorList {
	const whenEmbedded = "must be object if x-kubernetes-embedded-resource is true"
	var errs field.ErrorList
	typ, isEmbedded := tree.String(s, "type"), tree.Bool(s, embedded)
	switch {
	case isEmbedded && typ == "":
		errs = append(errs, field.Required(p.Child("type"), whenEmbedded))
	case isEmbedded && typ != "object":
		errs = append(errs, field.Invalid(p.Child("type"), typ, whenEmbedded))
	case typ == "" && !tree.Bool(s, intOrString) && !tree.Bool(s, preserve):
		of := []string{"at the root", "for specified array items", "for specified object fields"}
		errs = append(errs, field.Required(p.Child("type"), "must not be empty "+of[at]))
	}
	if isEmbedded && s["additionalProperties"] != nil {
		errs = append(errs, notAllowed(p.Child("additionalProperties"), "must not be used if x-kubernetes-embedded-resource is set"))
	}
	if at == rootLevel && typ != "" && typ != "object" {
		errs = append(errs, field.Invalid(p.Child("type"), typ, "must be object at the root"))
	}
	return errs
}

func structuralMeta(s tree.Object, at level, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	properties := tree.Map(s, "properties")
	isObject := at == rootLevel || tree.Bool(s, embedded)
	for _, key := range []string{"kind", "apiVersion"} {
		if property, found := properties[key]; found && isObject && tree.String(property, "type") != "string" {
			errs = append(errs, field.Invalid(p.Child("properties").Key(key).Child("type"), tree.String(property, "type"), "must be string"))
		}
	}
	if meta, found := properties["metadata"]; found {
		path := p.Child("properties").Key("metadata")
		if typ := tree.String(meta, "type"); isObject && typ != "object" {
			errs = append(errs, field.Invalid(path.Child("type"), typ, "must be object"))
		}
		if at == rootLevel && !isPlainMeta(tree.Map(meta)) {
			errs = append(errs, field.Forbidden(path, "must not specify anything other than name and generateName, but metadata is implicitly specified"))
		}
	}
	if tree.Bool(s, embedded) && !tree.Bool(s, preserve) && len(properties) == 0 {
		errs = append(errs, field.Required(p.Child("properties"),
			"must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields"))
	}
	return errs
}

// isPlainMeta reports whether the schema of an object's metadata says no more
// than that it is an object, and something about its name.
func isPlainMeta(meta tree.Object) bool {
	properties := tree.Map(meta, "properties")
	onlyNames := true
	for name := range properties {
		onlyNames = onlyNames && (name == "name" || name == "generateName")
	}
	for key := range meta {
		switch {
		case key == "type", key == "default", key == "properties" && onlyNames:
		case isSetInSchema(meta, key):
			return false
		}
	}
	return true
}
