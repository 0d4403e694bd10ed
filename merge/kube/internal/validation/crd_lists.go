package validation

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Source of this file:
// k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation.

const (
	listType    = "x-kubernetes-list-type"
	listMapKeys = "x-kubernetes-list-map-keys"
	mapType     = "x-kubernetes-map-type"
	preserve    = "x-kubernetes-preserve-unknown-fields"
	intOrString = "x-kubernetes-int-or-string"
	embedded    = "x-kubernetes-embedded-resource"
)

// schemaExtensions checks how a schema says that lists and maps are merged.
func schemaExtensions(s tree.Object, opts crdOptions, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if s[preserve] == false {
		errs = append(errs, field.Invalid(p.Child(preserve), false, "must be true or undefined"))
	}
	if s[mapType] != nil {
		errs = append(errs, typeFor(s, "object", mapType, p)...)
		errs = append(errs, plain(oneOfAt(s, mapType, p, "atomic", "granular"))...)
	}
	if s[listType] != nil {
		if bad := typeFor(s, "array", listType, p); len(bad) > 0 {
			errs = append(errs, bad...)
		} else if !opts.allowNonAtomicSets {
			errs = append(errs, setItems(s, p)...)
		}
		errs = append(errs, plain(oneOfAt(s, listType, p, "atomic", "set", "map"))...)
	}
	if typ := tree.String(s, listType); len(tree.List(s, listMapKeys)) > 0 && typ != "map" {
		const mustBeMap = "must be map if x-kubernetes-list-map-keys is non-empty"
		if s[listType] == nil {
			errs = append(errs, field.Required(p.Child(listType), mustBeMap))
		} else {
			errs = append(errs, field.Invalid(p.Child(listType), typ, mustBeMap))
		}
	}
	if s[listType] == "map" {
		errs = append(errs, mapItems(s, p)...)
	}
	if !opts.allowLooseMapKeys {
		errs = append(errs, mapKeysAreSet(s, p)...)
	}
	return errs
}

// typeFor checks that a schema with an extension has the type it is for.
func typeFor(s tree.Object, want, extension string, p *field.Path) field.ErrorList {
	detail := "must be " + want + " if " + extension + " is specified"
	switch typ := tree.String(s, "type"); typ {
	case want:
		return nil
	case "":
		return field.ErrorList{field.Required(p.Child("type"), detail)}
	default:
		return field.ErrorList{field.Invalid(p.Child("type"), typ, detail)}
	}
}

// setItems checks that the items of a set are atomic. (Upstream shows the
// list type where it means the map type.)
func setItems(s tree.Object, p *field.Path) field.ErrorList {
	const atomic = "must be atomic as item of a list with x-kubernetes-list-type=set"
	items := tree.Map(s, "items")
	if isAtomicItem(items) || s[listType] != "set" {
		return nil
	}
	key := listType
	if items["type"] == "object" {
		key = mapType
	}
	return field.ErrorList{field.Invalid(p.Child("items", key), items[listType], atomic)}
}

func isAtomicItem(items tree.Object) bool {
	switch items["type"] {
	case "array":
		return items[listType] == nil || items[listType] == "atomic"
	case "object":
		return items[mapType] == "atomic"
	}
	return true
}

// mapItems checks a list whose items have keys.
func mapItems(s tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	keys := stringsOf(tree.List(s, listMapKeys))
	if len(keys) == 0 {
		errs = append(errs, field.Required(p.Child(listMapKeys), "must not be empty if x-kubernetes-list-type is map"))
	}
	if s["items"] == nil {
		return append(errs, field.Required(p.Child("items"), "must have a schema if x-kubernetes-list-type is map"))
	}
	items := tree.Map(s, "items")
	if items == nil {
		return append(errs, field.Invalid(p.Child("items"), schema.Internal("apiextensions/v1.JSONSchemaPropsOrArray", s["items"]),
			"must only have a single schema if x-kubernetes-list-type is map"))
	}
	typ := tree.String(items, "type")
	if typ != "object" {
		return append(errs, field.Invalid(p.Child("items", "type"), typ, "must be object if parent array's x-kubernetes-list-type is map"))
	}
	for i, key := range keys {
		property, ok := tree.Map(items, "properties")[key]
		if !ok {
			errs = append(errs, field.Invalid(p.Child(listMapKeys), keys, "entries must all be names of item properties"))
		} else if t := tree.String(property, "type"); t == "array" || t == "object" {
			errs = append(errs, field.Invalid(p.Child("items", "properties").Key(key).Child("type"), typ,
				"must be a scalar type if parent array's x-kubernetes-list-type is map"))
		}
		if slices.Contains(keys[:i], key) {
			errs = append(errs, field.Invalid(p.Child(listMapKeys), keys, "must not contain duplicate entries"))
		}
	}
	return errs
}

// mapKeysAreSet checks that the items of a set or map cannot be null and that
// the keys of a map are always there.
func mapKeysAreSet(s tree.Object, p *field.Path) field.ErrorList {
	items := tree.Map(s, "items")
	typ := tree.String(s, listType)
	if items == nil || typ != "set" && typ != "map" {
		return nil
	}
	var errs field.ErrorList
	if tree.Bool(items, "nullable") {
		errs = append(errs, field.Forbidden(p.Child("items", "nullable"), "cannot be nullable when x-kubernetes-list-type is "+typ))
	}
	if typ == "set" {
		return errs
	}
	for _, key := range stringsOf(tree.List(s, listMapKeys)) {
		property, ok := tree.Map(items, "properties")[key]
		if !ok {
			continue
		}
		at := p.Child("items", "properties").Key(key)
		if !slices.Contains(tree.List(items, "required"), any(key)) && !tree.Has(property, "default") {
			errs = append(errs, field.Required(at.Child("default"),
				"this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property"))
		}
		if tree.Bool(property, "nullable") {
			errs = append(errs, field.Forbidden(at.Child("nullable"), "this property is in x-kubernetes-list-map-keys, so it cannot be nullable"))
		}
	}
	return errs
}
