package serverside

import (
	"strconv"

	smd "sigs.k8s.io/structured-merge-diff/v6/schema"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Custom returns the type of custom resources from the openAPIV3Schema of their
// version, which may be nil. keepUnknown is the definition's
// preserveUnknownFields. As with Builtin, callers must keep the type
// (apiextensions-apiserver pkg/controller/openapi/builder/builder.go
// buildKubeNative, kube-openapi pkg/schemaconv/openapi.go).
func Custom(openAPI tree.Object, keepUnknown bool, minor int) Type {
	if openAPI == nil {
		return newType(nil, smd.TypeRef{Inlined: smd.Atom{Map: &smd.Map{ElementType: named(deducedName)}}})
	}
	c := custom{builtin{minor: minor, keepUnknown: keepUnknown, seen: map[string]bool{}}}
	root := c.atom(openAPI, keepUnknown)
	if root.Map != nil {
		root.Map.Fields = c.resource(root.Map.Fields)
	}
	return newType(c.types, c.name(root))
}

// custom adds the types of a schema's nodes.
type custom struct{ builtin }

// name adds a type as a named type, because named types are compared by name.
func (c *custom) name(a smd.Atom) smd.TypeRef {
	name := "#" + strconv.Itoa(len(c.types))
	c.types = append(c.types, smd.TypeDef{Name: name, Atom: a})
	return named(name)
}

// node returns the type of a node in a schema. keep is set if a parent keeps
// unknown fields; here that applies to everything below.
func (c *custom) node(s tree.Object, keep bool) smd.TypeRef { return c.name(c.atom(s, keep)) }

func (c *custom) atom(s tree.Object, keep bool) smd.Atom {
	keep = keep || tree.Bool(s, "x-kubernetes-preserve-unknown-fields")
	switch tree.String(s, "type") {
	case "":
		a := scalar(smd.Untyped)
		a.List, a.Map = c.list(s, keep), c.object(s, keep)
		return a
	case "object":
		return smd.Atom{Map: c.object(s, keep)}
	case "array":
		return smd.Atom{List: c.list(s, keep)}
	case "integer", "number":
		return scalar(smd.Numeric)
	case "boolean":
		return scalar(smd.Boolean)
	}
	switch tree.String(s, "format") {
	case "", "byte":
		return scalar(smd.String)
	}
	return scalar(smd.Untyped)
}

func (c *custom) object(s tree.Object, keep bool) *smd.Map {
	m := &smd.Map{}
	properties := tree.Map(s, "properties")
	for name, p := range properties {
		node := tree.Map(p)
		def, _ := tree.Get(node, "default")
		m.Fields = append(m.Fields, smd.StructField{Name: name, Type: c.node(node, keep), Default: def})
	}
	if tree.Bool(s, "x-kubernetes-embedded-resource") {
		m.Fields = c.resource(m.Fields)
	}
	switch additional := s["additionalProperties"].(type) {
	case map[string]any:
		m.ElementType = c.node(additional, keep)
	case bool:
		if additional {
			m.ElementType = named(deducedName)
		}
	default:
		if keep || len(m.Fields) == 0 {
			m.ElementType = named(deducedName)
		}
	}
	switch tree.String(s, "x-kubernetes-map-type") {
	case "atomic":
		m.ElementRelationship = smd.Atomic
	case "granular":
		m.ElementRelationship = smd.Separable
	}
	return m
}

func (c *custom) list(s tree.Object, keep bool) *smd.List {
	l := &smd.List{ElementType: named(atomicName), ElementRelationship: smd.Atomic}
	if items := tree.Map(s, "items"); items != nil {
		l.ElementType = c.node(items, keep)
	}
	switch tree.String(s, "x-kubernetes-list-type") {
	case "set":
		l.ElementRelationship = smd.Associative
	case "map":
		l.ElementRelationship = smd.Associative
		for _, key := range tree.List(s, "x-kubernetes-list-map-keys") {
			if name, ok := key.(string); ok {
				l.Keys = append(l.Keys, name)
			}
		}
	}
	return l
}

// resource sets the types of the fields that every resource has.
func (c *custom) resource(fields []smd.StructField) []smd.StructField {
	kept := fields[:0]
	for _, f := range fields {
		switch f.Name {
		case "apiVersion", "kind", "metadata":
		default:
			kept = append(kept, f)
		}
	}
	return append(kept,
		smd.StructField{Name: "apiVersion", Type: smd.TypeRef{Inlined: scalar(smd.String)}},
		smd.StructField{Name: "kind", Type: smd.TypeRef{Inlined: scalar(smd.String)}},
		smd.StructField{Name: "metadata", Type: c.ref(schema.TypeNamed("meta/v1.ObjectMeta"), nil)})
}
