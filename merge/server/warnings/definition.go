package warnings

import (
	"slices"

	"threeway/merge/server/custom"
	"threeway/merge/tree"
)

// CustomResourceDefinition warns of formats in the schemas of a CustomResourceDefinition that
// the server does not know and so does not check. An update is warned of those
// that are new.
//
// Source: WarningsOnCreate and WarningsOnUpdate of
// k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition/strategy.go,
// since 1.34.
func CustomResourceDefinition(w *texts, r Request) {
	if r.Minor < 34 {
		return
	}
	before := unrecognizedFormats(r.Old, r.Minor)
	for _, format := range unrecognizedFormats(r.Object, r.Minor) {
		if !slices.Contains(before, format) {
			w.say("unrecognized format %q", format)
		}
	}
}

// unrecognizedFormats are the formats in the schemas of all versions, in the
// order in which the server finds them but for properties, which go by name.
func unrecognizedFormats(crd tree.Object, minor int) []string {
	var formats []string
	var walk func(s tree.Object)
	walk = func(s tree.Object) {
		if f := tree.String(s, "format"); f != "" && !custom.KnowsFormat(f, tree.String(s, "type"), minor) {
			formats = append(formats, f)
		}
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
	return formats
}
