package validation

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/custom"
	"threeway/merge/kube/internal/custom/validations"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Source of this file:
// k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation.

// crdValidation checks a schema with the value of key "openAPIV3Schema".
//
// Source: validateCustomResourceDefinitionValidation.
func crdValidation(validation any, hasStatus bool, opts crdOptions, p *field.Path) field.ErrorList {
	root := tree.Map(validation, "openAPIV3Schema")
	if root == nil {
		return nil
	}
	var errs field.ErrorList
	if hasStatus {
		errs = append(errs, rootWithStatus(root, p)...)
	}
	if tree.Bool(root, "nullable") {
		errs = append(errs, field.Forbidden(p.Child("openAPIV3Schema.nullable"), "nullable cannot be true at the root"))
	}
	at := p.Child("openAPIV3Schema")
	problem := ""
	place := schemaPlace{opts: opts, isRoot: true}
	if !opts.allowNonStructural {
		if problem = unstructured(root); problem == "" {
			bad := structural(root, at)
			if len(bad) == 0 {
				bad = custom.Checks{Embedded: EmbeddedMeta(opts.minor), Minor: opts.minor}.CheckDefaults(root, at)
			}
			errs = append(errs, bad...)
			if len(bad) == 0 && anySchemaWithin(root, hasRules) {
				place.scope = rootScope(root, opts.minor)
			}
		}
	}
	all := openAPISchema(root, place, at)
	errs = append(append(errs, all.schema...), all.rules...)
	if len(errs) == 0 && problem != "" {
		errs = append(errs, field.Invalid(at, "", problem))
	}
	if place.scope != nil {
		errs = append(errs, place.scope.total.errors(at)...)
	}
	return errs
}

// rootFields lists the fields of a schema in upstream's order, with their Go
// names, and says which a root may have next to a status subresource. (The
// schema of the status is cut out of its properties.)
var rootFields = []struct {
	json, golang string
	allowed      bool
}{
	{"id", "ID", false}, {"$schema", "Schema", false}, {"$ref", "Ref", false}, {"description", "Description", true},
	{"type", "Type", true}, {"nullable", "Nullable", false}, {"format", "Format", true}, {"title", "Title", true},
	{"default", "Default", false}, {"maximum", "Maximum", true}, {"exclusiveMaximum", "ExclusiveMaximum", true},
	{"minimum", "Minimum", true}, {"exclusiveMinimum", "ExclusiveMinimum", true}, {"maxLength", "MaxLength", true},
	{"minLength", "MinLength", true}, {"pattern", "Pattern", true}, {"maxItems", "MaxItems", true}, {"minItems", "MinItems", true},
	{"uniqueItems", "UniqueItems", true}, {"multipleOf", "MultipleOf", true}, {"enum", "Enum", false},
	{"maxProperties", "MaxProperties", false}, {"minProperties", "MinProperties", false}, {"required", "Required", true},
	{"items", "Items", true}, {"allOf", "AllOf", false}, {"oneOf", "OneOf", false}, {"anyOf", "AnyOf", false}, {"not", "Not", false},
	{"properties", "Properties", true}, {"additionalProperties", "AdditionalProperties", false},
	{"patternProperties", "PatternProperties", false}, {"dependencies", "Dependencies", false},
	{"additionalItems", "AdditionalItems", false}, {"definitions", "Definitions", false}, {"externalDocs", "ExternalDocs", true},
	{"example", "Example", true}, {"x-kubernetes-preserve-unknown-fields", "XPreserveUnknownFields", true},
	{"x-kubernetes-embedded-resource", "XEmbeddedResource", false}, {"x-kubernetes-int-or-string", "XIntOrString", false},
	{"x-kubernetes-list-map-keys", "XListMapKeys", false}, {"x-kubernetes-list-type", "XListType", false},
	{"x-kubernetes-map-type", "XMapType", false}, {"x-kubernetes-validations", "XValidations", true},
}

func rootWithStatus(root tree.Object, p *field.Path) field.ErrorList {
	for _, f := range rootFields {
		if !isSetInSchema(root, f.json) {
			continue
		}
		if typ := tree.String(root, "type"); f.json == "type" && typ != "object" {
			return field.ErrorList{field.Invalid(p.Child("openAPIV3Schema.type"), typ,
				`only "object" is allowed as the type at the root of the schema if the status subresource is enabled`)}
		}
		if f.allowed {
			continue
		}
		// Upstream's list has another order.
		const allowed = "[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems " +
			"MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations]"
		return field.ErrorList{field.Invalid(p.Child("openAPIV3Schema"), schema.Internal("apiextensions/v1.JSONSchemaProps", root),
			"only "+allowed+" fields are allowed at the root of the schema if the status subresource is enabled")}
	}
	return nil
}

// isSetInSchema reports whether a field of a schema is not Go's zero value.
func isSetInSchema(s tree.Object, key string) bool {
	switch key {
	case "default", "maximum", "minimum", "maxLength", "minLength", "maxItems", "minItems", "multipleOf", "maxProperties", "minProperties",
		"items", "not", "additionalProperties", "additionalItems", "externalDocs", "example", "x-kubernetes-preserve-unknown-fields":
		return s[key] != nil // a pointer
	}
	return !tree.Empty(s[key])
}

// schemaPlace says where in the root schema a schema stands.
type schemaPlace struct {
	opts       crdOptions
	isRoot     bool
	insideMeta bool        // of the object or of an embedded one
	noDefaults string      // why defaults are not allowed here
	noOldSelf  *field.Path // what is above has no item that corresponds to an old one
	scope      *scope      // of rules; nil if they are not compiled
}

// without is the same place for a schema whose rules are not compiled.
func (p schemaPlace) without() schemaPlace {
	p.scope = nil
	return p
}

// schemaFaults are what is wrong with a schema and those within: with the
// schema itself, and with its rules, which come after all of the former.
type schemaFaults struct{ schema, rules field.ErrorList }

func (f *schemaFaults) add(more schemaFaults) {
	f.schema, f.rules = append(f.schema, more.schema...), append(f.rules, more.rules...)
}

// openAPISchema checks a schema and those within. Errors come in the order of
// the property names; upstream's order is random. Rules are compiled only where
// there is no other error, at the schema or below.
//
// Source: ValidateCustomResourceDefinitionOpenAPISchema.
func openAPISchema(s tree.Object, place schemaPlace, p *field.Path) schemaFaults {
	if s == nil {
		return schemaFaults{}
	}
	faults := schemaFaults{schema: unsupportedInSchema(s, place, p)}
	isRoot := place.isRoot
	place.isRoot = false
	if tree.Bool(s, "uniqueItems") {
		faults.schema = append(faults.schema, field.Forbidden(p.Child("uniqueItems"), "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"))
	}
	faults.add(additionalProperties(s, place, p))
	faults.add(schemaProperties(s, place, isRoot, p))
	faults.add(openAPISchema(tree.Map(s, "not"), place.without(), p.Child("not")))
	for _, key := range []string{"allOf", "oneOf", "anyOf"} {
		for i, sub := range tree.List(s, key) {
			faults.add(openAPISchema(tree.Map(sub), place.without(), p.Child(key).Index(i)))
		}
	}
	faults.add(schemasByName(s, "definitions", place, p))
	faults.add(schemaItems(s, place, p))
	faults.add(schemasByName(s, "dependencies", place, p))
	faults.schema = append(faults.schema, schemaExtensions(s, place.opts, p)...)
	faults.schema = append(faults.schema, schemaRules(s, p)...)
	if len(faults.schema) == 0 {
		faults.rules = append(faults.rules, compiledRules(s, place, p)...)
	}
	return faults
}

func schemaProperties(s tree.Object, place schemaPlace, isRoot bool, p *field.Path) schemaFaults {
	var faults schemaFaults
	properties := tree.Map(s, "properties")
	if typ := tree.String(s, mapType); typ != "" && typ != "granular" && typ != "atomic" && place.noOldSelf == nil {
		place.noOldSelf = p
	}
	for _, name := range sortedKeys(properties) {
		sub, node := place, tree.Map(properties[name])
		if isMeta := name == "metadata" || name == "kind" || name == "apiVersion"; isMeta && (isRoot || tree.Bool(s, "x-kubernetes-embedded-resource")) {
			sub.insideMeta = true
			if isRoot {
				sub.noDefaults = "in top-level " + name
			}
		}
		sub.scope = place.scope.property(name, node)
		faults.add(openAPISchema(node, sub, p.Child("properties").Key(name)))
	}
	return faults
}

// schemaItems checks the schema of items. Only those of lists of type map
// correspond to old ones.
func schemaItems(s tree.Object, place schemaPlace, p *field.Path) schemaFaults {
	if tree.String(s, listType) != "map" && place.noOldSelf == nil {
		place.noOldSelf = p
	}
	sub := place
	sub.scope = place.scope.items(tree.Map(s, "items"))
	faults := openAPISchema(tree.Map(s, "items"), sub, p.Child("items"))
	for i, item := range tree.List(s, "items") {
		faults.add(openAPISchema(tree.Map(item), place.without(), p.Child("items").Index(i)))
	}
	return faults
}

func schemasByName(s tree.Object, key string, place schemaPlace, p *field.Path) schemaFaults {
	var faults schemaFaults
	schemas := tree.Map(s, key)
	for _, name := range sortedKeys(schemas) {
		faults.add(openAPISchema(tree.Map(schemas[name]), place.without(), p.Child(key).Key(name)))
	}
	return faults
}

func additionalProperties(s tree.Object, place schemaPlace, p *field.Path) schemaFaults {
	additional := s["additionalProperties"]
	if additional == nil {
		return schemaFaults{}
	}
	var faults schemaFaults
	at := p.Child("additionalProperties")
	if len(tree.Map(s, "properties")) > 0 && additional != true {
		faults.schema = append(faults.schema, field.Forbidden(at, "additionalProperties and properties are mutual exclusive"))
	}
	if place.insideMeta {
		place.noDefaults = "inside additionalProperties applying to object metadata"
	}
	place.scope = place.scope.additional(tree.Map(additional))
	faults.add(openAPISchema(tree.Map(additional), place, at))
	return faults
}

// unsupportedInSchema checks a schema for what OpenAPI has and
// CustomResourceDefinitions have not.
func unsupportedInSchema(s tree.Object, place schemaPlace, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	typ := tree.String(s, "type")
	if typ != "" && !place.opts.allowInvalidTypes {
		errs = append(errs, plain(oneOf(typ, p.Child("type"), schemaTypes()...))...)
	}
	if tree.Has(s, "default") && place.noDefaults != "" {
		errs = append(errs, notAllowed(p.Child("default"), "must not be set "+place.noDefaults))
	}
	for _, key := range []string{"id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"} {
		isSet := !tree.Empty(s[key])
		if key == "additionalItems" || key == "dependencies" || key == "$ref" {
			isSet = s[key] != nil
		}
		if isSet {
			errs = append(errs, notAllowed(p.Child(key), key+" is not supported"))
		}
	}
	if typ == "null" {
		errs = append(errs, field.Forbidden(p.Child("type"), "type cannot be set to null, use nullable as an alternative"))
	}
	if len(tree.List(s, "items")) > 0 {
		errs = append(errs, field.Forbidden(p.Child("items"), "items must be a schema object and not an array"))
	}
	if place.insideMeta && tree.Bool(s, "x-kubernetes-embedded-resource") {
		errs = append(errs, notAllowed(p.Child("x-kubernetes-embedded-resource"), "must not be used inside of resource meta"))
	}
	return errs
}

func schemaTypes() []string {
	return []string{"array", "boolean", "integer", "number", "object", "string"}
}

// schemaRules checks what there is around CEL rules.
func schemaRules(s tree.Object, p *field.Path) field.ErrorList {
	const notEmpty, noBreaks = "must be non-empty if specified", "must not contain line breaks"
	var errs field.ErrorList
	for i, v := range tree.List(s, "x-kubernetes-validations") {
		at := p.Child("x-kubernetes-validations").Index(i)
		rule, message := strings.TrimSpace(tree.String(v, "rule")), tree.String(v, "message")
		trimmed := strings.TrimSpace(message)
		switch {
		case rule == "":
			errs = append(errs, field.Required(at.Child("rule"), "rule is not specified"))
		case message != "" && trimmed == "":
			errs = append(errs, field.Invalid(at.Child("message"), message, notEmpty))
		case strings.ContainsAny(trimmed, "\n\r"):
			errs = append(errs, field.Invalid(at.Child("message"), message, noBreaks))
		case strings.ContainsAny(rule, "\n\r") && trimmed == "":
			errs = append(errs, field.Required(at.Child("message"), "message must be specified if rule contains line breaks"))
		}
		if expr := tree.String(v, "messageExpression"); expr != "" && strings.TrimSpace(expr) == "" {
			errs = append(errs, field.Required(at.Child("messageExpression"), "messageExpression must be non-empty if specified"))
		}
		errs = append(errs, oneOfAt(v, "reason", at, "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")...)
		path := tree.String(v, "fieldPath")
		if path == "" {
			continue
		}
		if strings.TrimSpace(path) == "" {
			errs = append(errs, field.Invalid(at.Child("fieldPath"), path, notEmpty))
		}
		if strings.ContainsAny(path, "\n\r") {
			errs = append(errs, field.Invalid(at.Child("fieldPath"), path, noBreaks))
		}
		if _, err := validations.Follow(path, s, true); err != nil && unstructured(s) == "" {
			errs = append(errs, field.Invalid(at.Child("fieldPath"), path, "must be a valid path"))
		}
	}
	return errs
}

// selectableFields checks the fields that field selectors may name.
func selectableFields(list []any, root tree.Object, opts crdOptions, version string, p, schemaPath *field.Path) field.ErrorList {
	const most = 8
	var errs field.ErrorList
	if problem := unstructured(root); problem != "" {
		errs, root = append(errs, field.Invalid(schemaPath, "", problem)), nil // and goes on without a schema
	}
	var seen []string
	for i, f := range list {
		path, at := tree.String(f, "jsonPath"), p.Child("selectableFields").Index(i).Child("jsonPath")
		if path == "" {
			errs = append(errs, field.Required(at, ""))
			continue
		}
		found, err := validations.Follow(path, root, false)
		if err != nil {
			errs = append(errs, field.Invalid(at, path, fmt.Sprintf("is an invalid path: %v", err)))
			continue
		}
		if found.Root == "metadata" {
			errs = append(errs, field.Invalid(at, path, "must not point to fields in metadata"))
		}
		if !slices.Contains([]string{"string", "boolean", "integer"}, tree.String(found.Schema, "type")) {
			errs = append(errs, field.Invalid(at, path,
				"must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed."))
		}
		if slices.Contains(seen, found.Path) {
			errs = append(errs, field.Duplicate(at, path))
		} else {
			seen = append(seen, found.Path)
		}
	}
	if len(seen) > most && !opts.manySelectableFields[version] {
		errs = append(errs, field.TooMany(p.Child("selectableFields"), len(seen), most))
	}
	return errs
}
