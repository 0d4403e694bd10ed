package warnings

import (
	"slices"

	"threeway/merge/kube/internal/custom"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// CustomResourceDefinition warns of formats in the schemas of a
// CustomResourceDefinition that the server does not know and so does not check,
// and of sets of objects. An update is warned of those that are new.
//
// Source: WarningsOnCreate and WarningsOnUpdate of
// k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition/strategy.go.
func CustomResourceDefinition(w *texts, r Request) {
	if !minors.WarnFormats.In(r.Minor) {
		return
	}
	before := unrecognizedFormats(r.Old, r.Minor)
	for _, format := range unrecognizedFormats(r.Object, r.Minor) {
		if !slices.Contains(before, format) {
			w.say("", "unrecognized format %q", format)
		}
	}
	if !minors.WarnSetsOfObjects.In(r.Minor) {
		return
	}
	before = setsOfObjects(r.Old)
	for _, typ := range setsOfObjects(r.Object) {
		if !slices.Contains(before, typ) {
			w.say("", "x-kubernetes-list-type: set for items of type %q is not supported by server-side apply or CEL validation rules", typ)
		}
	}
}

// setsOfObjects are the types, object or array, of items that schemas of any
// version put into sets (getNonScalarListTypeSetWarnings).
func setsOfObjects(crd tree.Object) []string {
	var types []string
	eachSchema(crd, func(s tree.Object) {
		typ := tree.String(s, "items", "type")
		if tree.String(s, "x-kubernetes-list-type") == "set" && (typ == "object" || typ == "array") {
			types = append(types, typ)
		}
	})
	slices.Sort(types)
	return slices.Compact(types)
}

// unrecognizedFormats are the formats in the schemas of all versions, in the
// order in which the server finds them but for properties, which go by name.
func unrecognizedFormats(crd tree.Object, minor int) []string {
	var formats []string
	eachSchema(crd, func(s tree.Object) {
		if f := tree.String(s, "format"); f != "" && !custom.KnowsFormat(f, tree.String(s, "type"), minor) {
			formats = append(formats, f)
		}
	})
	return formats
}

// eachSchema visits the schemas of all versions, and those in them.
func eachSchema(crd tree.Object, visit func(s tree.Object)) {
	var walk func(s tree.Object)
	walk = func(s tree.Object) {
		visit(s)
		for _, key := range []string{"items", "allOf", "anyOf", "oneOf", "not", "properties", "additionalProperties"} {
			if key == "properties" {
				properties := tree.Map(s, key)
				for _, name := range sorted(properties) {
					walk(tree.Map(properties[name]))
				}
				continue
			}
			if sub := tree.Map(s, key); sub != nil {
				walk(sub)
			}
			for _, sub := range tree.List(s, key) {
				walk(tree.Map(sub))
			}
		}
	}
	for _, v := range tree.List(crd, "spec", "versions") {
		walk(tree.Map(v, "schema", "openAPIV3Schema"))
	}
}
