package serverside

import (
	"encoding/json"

	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"threeway/merge/kube/schema"
)

// The names of the two types for any value: atomic is owned as a whole; deduced
// owns objects field by field and lists as a whole (kube-openapi
// pkg/schemaconv/smd.go).
const (
	atomicName  = "__untyped_atomic_"
	deducedName = "__untyped_deduced_"
)

// Type says how the fields of one kind are owned: one by one, by key, or as a
// whole. Objects can be merged only if their types are the same value.
type Type = typed.ParseableType

// Deduced returns the type of objects without a schema.
func Deduced() Type { return typed.DeducedParseableType }

// Builtin returns the type of a built-in kind as Kubernetes 1.minor publishes
// it in OpenAPI. Callers must keep it: two calls return types that differ.
func Builtin(t *schema.Type, minor int) Type {
	b := builtin{minor: minor, seen: map[string]bool{}}
	root := b.ref(t, nil)
	return newType(b.types, root)
}

// newType returns a type from its root and the named types that it needs.
func newType(types []smd.TypeDef, root smd.TypeRef) Type {
	types = append(types,
		smd.TypeDef{Name: atomicName, Atom: anything(smd.Atomic, atomicName)},
		smd.TypeDef{Name: deducedName, Atom: anything(smd.Separable, deducedName)})
	return Type{Schema: &smd.Schema{Types: types}, TypeRef: root}
}

// anything returns a type for any value. Lists in it are owned as a whole.
func anything(objects smd.ElementRelationship, elements string) smd.Atom {
	a := scalar(smd.Untyped)
	a.List = &smd.List{ElementType: named(atomicName), ElementRelationship: smd.Atomic}
	a.Map = &smd.Map{ElementType: named(elements), ElementRelationship: objects}
	return a
}

func named(name string) smd.TypeRef { return smd.TypeRef{NamedType: &name} }

func scalar(s smd.Scalar) smd.Atom { return smd.Atom{Scalar: &s} }

// builtin collects the named types that are reachable from a root.
type builtin struct {
	minor       int
	keepUnknown bool // structs accept unknown fields
	types       []smd.TypeDef
	seen        map[string]bool
}

// ref returns the type of a value; f is the field that contains it, nil for
// items and the root.
func (b *builtin) ref(t *schema.Type, f *schema.Field) smd.TypeRef {
	switch t.Form {
	case schema.Struct:
		b.define(t)
		ref := named(t.Name)
		if r := relationship(t, f); r != "" {
			ref.ElementRelationship = &r
		}
		return ref
	case schema.Map:
		m := &smd.Map{ElementType: b.ref(t.Elem, nil)}
		if t.MapType == "atomic" || f != nil && f.MapType == "atomic" {
			m.ElementRelationship = smd.Atomic
		}
		return smd.TypeRef{Inlined: smd.Atom{Map: m}}
	case schema.List:
		return smd.TypeRef{Inlined: smd.Atom{List: b.list(t, f)}}
	case schema.Any:
		// Of the fields for any value, only those of a JSON schema are owned
		// field by field: they are apiextensions JSON, the others RawExtension.
		return named(atomicName)
	}
	return smd.TypeRef{Inlined: atom(t.Form)}
}

// relationship returns how a field owns a struct in it, "" if it does not say.
// One field is granular although its type is atomic: the claim of a volume
// (k8s.io/api core/v1/types.go, +structType=granular).
func relationship(t *schema.Type, f *schema.Field) smd.ElementRelationship {
	switch {
	case f == nil:
	case f.MapType == "atomic":
		return smd.Atomic
	case f.Name == "claimRef" && t.Name == "core/v1.ObjectReference":
		return smd.Separable
	}
	return ""
}

// list does what getListElementRelationship does: without a list type, the
// patch strategy decides.
func (b *builtin) list(t *schema.Type, f *schema.Field) *smd.List {
	l := &smd.List{ElementType: b.ref(t.Elem, nil), ElementRelationship: smd.Atomic}
	switch {
	case f == nil || f.OnePiece():
		return l
	case f.ListType == "map":
		l.Keys = f.ListKeys
	case f.ListType == "" && f.MergeKey != "":
		l.Keys = []string{f.MergeKey}
	}
	l.ElementRelationship = smd.Associative
	return l
}

// define adds a struct to the named types.
func (b *builtin) define(t *schema.Type) {
	if b.seen[t.Name] {
		return
	}
	b.seen[t.Name] = true
	m := &smd.Map{Fields: make([]smd.StructField, 0, len(t.Fields))}
	if t.MapType == "atomic" {
		m.ElementRelationship = smd.Atomic
	}
	if len(t.Fields) == 0 || b.keepUnknown {
		m.ElementType = named(deducedName)
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if !f.In(b.minor) {
			continue
		}
		field := smd.StructField{Name: f.Name, Type: b.ref(f.Type, f), Default: defaultOf(f)}
		if f.Type.Form == schema.Any && t.Name == "apiextensions/v1.JSONSchemaProps" {
			field.Type = smd.TypeRef{Inlined: free()}
		}
		m.Fields = append(m.Fields, field)
	}
	b.types = append(b.types, smd.TypeDef{Name: t.Name, Atom: smd.Atom{Map: m}})
}

// free returns the type of values for which OpenAPI has no type: IntOrString,
// JSON.
func free() smd.Atom { return anything("", deducedName) }

// atom returns the type of a value that is not a struct, map or list in Go.
func atom(f schema.Form) smd.Atom {
	switch f {
	case schema.String, schema.Bytes, schema.Duration:
		return scalar(smd.String)
	case schema.Bool:
		return scalar(smd.Boolean)
	case schema.Int, schema.Float:
		return scalar(smd.Numeric)
	case schema.IntOrString, schema.SchemaOrBool, schema.SchemaOrArray, schema.SchemaOrStrings:
		return free()
	}
	return scalar(smd.Untyped)
}

// defaultOf returns the default of a field that may be the key of a list: the
// declared default, or the zero value of a field that is always present
// (kube-openapi pkg/generators/openapi.go mustEnforceDefault).
func defaultOf(f *schema.Field) any {
	if f.Default != "" {
		var v any
		if json.Unmarshal([]byte(f.Default), &v) == nil {
			return v
		}
	}
	if f.Pointer || f.OmitEmpty {
		return nil
	}
	switch f.Type.Form {
	case schema.String:
		return ""
	case schema.Int, schema.Float:
		return int64(0)
	case schema.Bool:
		return false
	}
	return nil
}
