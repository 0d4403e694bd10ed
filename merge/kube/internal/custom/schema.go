package custom

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/format"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// schema is a node of an openAPIV3Schema, read in place. nil is no schema,
// which differs from the empty one: pruning removes all fields under it.
type schema map[string]any

func asSchema(v any) schema {
	if m, ok := v.(map[string]any); ok && m != nil {
		return m
	}
	return schema{}
}

// origin tells how a schema knows a field.
type origin int

const (
	unknown origin = iota
	property
	additional
)

// field returns the schema of the field name of an object. The schema is nil
// where additionalProperties is a boolean.
func (s schema) field(name string) (schema, origin) {
	if sub, ok := s.property(name); ok {
		return sub, property
	}
	sub, ok := s.additional()
	if !ok {
		return nil, unknown
	}
	return sub, additional
}

func (s schema) property(name string) (schema, bool) {
	properties, _ := s["properties"].(map[string]any)
	sub, ok := properties[name]
	if !ok {
		return nil, false
	}
	return asSchema(sub), true
}

// additional returns the schema under additionalProperties, nil for a boolean,
// and whether there is one.
func (s schema) additional() (schema, bool) {
	switch a := s["additionalProperties"].(type) {
	case map[string]any:
		return a, true
	case bool:
		return nil, true
	}
	return nil, false
}

// items is the schema of a list's items, nil if there is none.
func (s schema) items() schema {
	m, _ := s["items"].(map[string]any)
	return m
}

// list returns the schemas under allOf, anyOf or oneOf.
func (s schema) list(key string) []schema {
	l, _ := s[key].([]any)
	var subs []schema
	for _, sub := range l {
		subs = append(subs, asSchema(sub))
	}
	return subs
}

func (s schema) text(key string) string {
	t, _ := s[key].(string)
	return t
}

func (s schema) texts(key string) []string {
	l, _ := s[key].([]any)
	var texts []string
	for _, x := range l {
		if t, ok := x.(string); ok {
			texts = append(texts, t)
		}
	}
	return texts
}

func (s schema) flag(key string) bool {
	b, _ := s[key].(bool)
	return b
}

func (s schema) number(key string) (float64, bool) {
	switch n := s[key].(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}

func (s schema) count(key string) (int64, bool) {
	n, ok := s.number(key)
	return int64(n), ok
}

func (s schema) keepsUnknown() bool { return s.flag("x-kubernetes-preserve-unknown-fields") }
func (s schema) isResource() bool   { return s.flag(embeddedResource) }
func (s schema) intOrString() bool  { return s.flag("x-kubernetes-int-or-string") }

// What few schemas have, so that objects of the others are not walked for it.
const (
	embeddedResource = "x-kubernetes-embedded-resource"
	listType         = "x-kubernetes-list-type"
)

// mentions reports whether a key is anywhere in a schema.
func mentions(v any, key string) bool {
	switch v := v.(type) {
	case tree.Object:
		_, has := v[key]
		for _, x := range v {
			has = has || mentions(x, key)
		}
		return has
	case []any:
		return slices.ContainsFunc(v, func(x any) bool { return mentions(x, key) })
	}
	return false
}

// typeName is the type as error messages print it, "" if any is allowed.
func (s schema) typeName() string {
	if s.intOrString() {
		return "integer,string"
	}
	return s.text("type")
}

func (s schema) hasType(t string) bool {
	if s.intOrString() {
		return t == "integer" || t == "string"
	}
	return s.text("type") == t
}

// format is the format that is enforced; the server ignores formats that it
// does not know and formats on the wrong type
// (pkg/apiserver/validation/formats.go).
func (s schema) format() string {
	f := s.text("format")
	if f == "" || s.flag(anyFormat) {
		return f
	}
	switch s.typeName() {
	case "", "string", "integer,string":
		if format.Check(f) != nil {
			return f
		}
	case "integer":
		if f == "int32" || f == "int64" {
			return f
		}
	case "number":
		if f == "float" || f == "double" {
			return f
		}
	}
	return ""
}

// anyFormat is set in a schema whose format counts whether the server knows it
// or not. No key of a schema has a space.
const anyFormat = "any format"

// hasRules reports whether the schema or one below it, logical junctors aside,
// has CEL rules.
func (s schema) hasRules() bool {
	if l, _ := s["x-kubernetes-validations"].([]any); len(l) > 0 {
		return true
	}
	if sub := s.items(); sub != nil && sub.hasRules() {
		return true
	}
	if sub, _ := s.additional(); sub != nil && sub.hasRules() {
		return true
	}
	properties, _ := s["properties"].(map[string]any)
	for _, sub := range properties {
		if asSchema(sub).hasRules() {
			return true
		}
	}
	return false
}

// step extends path by a field that the schema knows the given way.
func step(path *field.Path, name string, how origin) *field.Path {
	if how == additional {
		return path.Key(name)
	}
	return path.Child(name)
}

// join extends the textual path that pruning and schema validation use.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// KnowsFormat reports whether a server of 1.minor checks a format of values of
// the type, "" if the schema names none. It goes by the formats of the minor
// before its own (GetUnrecognizedFormats in pkg/apiserver/validation/formats.go).
func KnowsFormat(format, typ string, minor int) bool {
	if plain := strings.ReplaceAll(format, "-", ""); !minors.KnowsShortNames.In(minor) && (plain == "k8sshortname" || plain == "k8slongname") {
		return false
	}
	return schema{"format": format, "type": typ}.format() != ""
}
