package openapi

import (
	"slices"
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Custom is the model of a custom kind, nil if its CustomResourceDefinition does
// not serve it (k8s.io/apiextensions-apiserver pkg/controller/openapi: builder.go
// buildKubeNative, v2/conversion.go ToStructuralOpenAPIV2).
func Custom(definition tree.Object, k schema.Kind, minor int) *Model {
	spec := tree.Map(definition, "spec")
	root, served := versionSchema(spec, k.Version)
	if !served {
		return nil
	}
	path := modelOf(k)
	if root == nil || tree.Bool(root, preserve) || tree.Bool(spec, "preserveUnknownFields") {
		return mappingOfAny(path)
	}
	c := custom{minor}
	m := c.model(root, path)
	m = c.withMeta(m)
	m.required = required(root)
	return m
}

const preserve = "x-kubernetes-preserve-unknown-fields"

// modelOf is the name of a custom kind's model: its group backwards.
func modelOf(k schema.Kind) string {
	parts := strings.Split(k.Group, ".")
	slices.Reverse(parts)
	return strings.Join(append(parts, k.Version, k.Kind), ".")
}

// versionSchema is the schema of a version, nil if it has none.
func versionSchema(spec tree.Object, version string) (root tree.Object, served bool) {
	for _, v := range tree.List(spec, "versions") {
		if tree.String(v, "name") == version {
			root, served = tree.Map(v, "schema", "openAPIV3Schema"), tree.Bool(v, "served")
		}
	}
	if served && root == nil {
		root = tree.Map(spec, "validation", "openAPIV3Schema")
	}
	return root, served
}

// custom makes the models of structural schemas.
type custom struct{ minor int }

func (c custom) model(s tree.Object, path string) *Model {
	typ := tree.String(s, "type")
	properties, items := tree.Map(s, "properties"), tree.Map(s, "items")
	if tree.Bool(s, "nullable") || tree.Bool(s, preserve) {
		properties, items = nil, nil
		if tree.Bool(s, "nullable") || typ == "object" {
			typ = ""
		}
	}
	m := &Model{path: path}
	switch {
	case typ == "array" && items != nil:
		m.form, m.elem = list, func() *Model { return c.model(items, path) }
	case typ == "string" || typ == "integer" || typ == "number" || typ == "boolean":
		m.form, m.typ = primitive, typ
	case typ != "object" && typ != "":
	case len(properties) > 0:
		m.form, m.required = object, required(s)
		m.field = func(name string) *Model {
			if property, ok := properties[name]; ok {
				return c.model(tree.Map(property), path+"."+name)
			}
			return nil
		}
	case typ == "object":
		m = c.mapping(s, path)
	}
	if tree.Bool(s, "x-kubernetes-embedded-resource") && !tree.Bool(s, preserve) {
		m = c.withMeta(m)
		m.required = required(s)
		for _, name := range []string{"kind", "apiVersion"} {
			if !slices.Contains(m.required, name) {
				m.required = append(m.required, name)
			}
		}
	}
	return m
}

func (c custom) mapping(s tree.Object, path string) *Model {
	elem := tree.Map(s, "additionalProperties")
	if elem == nil {
		return mappingOfAny(path)
	}
	return &Model{form: mapping, path: path, elem: func() *Model { return c.model(elem, path) }}
}

// required lists the required fields, without those that may be null.
func required(s tree.Object) []string {
	var names []string
	for _, name := range tree.List(s, "required") {
		if name, ok := name.(string); ok && !tree.Bool(s, "properties", name, "nullable") {
			names = append(names, name)
		}
	}
	return names
}

// withMeta adds the fields that every object has to the model of an object.
func (c custom) withMeta(m *Model) *Model {
	with := &Model{form: object, path: m.path}
	with.field = func(name string) *Model {
		switch name {
		case "apiVersion", "kind":
			return &Model{form: primitive, path: m.path + "." + name, typ: "string"}
		case "metadata":
			return objectMeta(c.minor)
		}
		if m.field == nil {
			return nil
		}
		return m.field(name)
	}
	return with
}
