// Package value shows objects to CEL as their OpenAPI schema describes them:
// the types of schemas, the sizes that values can have, and the values
// themselves. It follows k8s.io/apiserver/pkg/cel/common, which cannot be
// linked, on the schemas of CustomResourceDefinitions.
package value

import (
	"sync"

	"threeway/merge/tree"
)

// Schema is what expressions need of a node of an openAPIV3Schema. It is safe
// for concurrent use.
type Schema struct {
	Type, Format string
	Nullable     bool
	IntOrString  bool
	Embedded     bool // x-kubernetes-embedded-resource
	Preserve     bool // x-kubernetes-preserve-unknown-fields
	ListType     string
	MapKeys      []string
	Required     []string
	Enum         []any
	Default      any

	MaxLength, MaxItems, MaxProperties *int64

	// Properties are nil if the schema has none. Additional is nil unless
	// additionalProperties is a schema, and Items unless items is one.
	Properties        map[string]*Schema
	Additional, Items *Schema

	minor    int
	resource func() *Schema
}

// NewSchema reads a node and all below it, as a server of 1.minor does.
func NewSchema(node tree.Object, minor int) *Schema {
	s := &Schema{
		minor:       minor,
		Type:        tree.String(node, "type"),
		Format:      tree.String(node, "format"),
		Nullable:    tree.Bool(node, "nullable"),
		IntOrString: tree.Bool(node, "x-kubernetes-int-or-string"),
		Embedded:    tree.Bool(node, "x-kubernetes-embedded-resource"),
		Preserve:    tree.Bool(node, "x-kubernetes-preserve-unknown-fields"),
		ListType:    tree.String(node, "x-kubernetes-list-type"),
		MapKeys:     texts(node, "x-kubernetes-list-map-keys"),
		Required:    texts(node, "required"),
		Enum:        tree.List(node, "enum"),
		Default:     node["default"],
		MaxLength:   limit(node, "maxLength"), MaxItems: limit(node, "maxItems"), MaxProperties: limit(node, "maxProperties"),
	}
	if properties := tree.Map(node, "properties"); len(properties) > 0 {
		s.Properties = make(map[string]*Schema, len(properties))
		for name, sub := range properties {
			s.Properties[name] = NewSchema(tree.Map(sub), minor)
		}
	}
	if sub, ok := node["additionalProperties"].(map[string]any); ok {
		s.Additional = NewSchema(sub, minor)
	}
	if sub, ok := node["items"].(map[string]any); ok {
		s.Items = NewSchema(sub, minor)
	}
	s.resource = sync.OnceValue(s.withMeta)
	return s
}

// Resource is the schema of the root of an object, or of an object within one:
// besides its own properties it has apiVersion, kind, metadata.name and
// metadata.generateName, and of metadata nothing else unless it has a property
// for each of the two itself.
func (s *Schema) Resource() *Schema { return s.resource() }

func (s *Schema) withMeta() *Schema {
	isA := func(of *Schema, name, typ string) bool {
		return of != nil && of.Properties[name] != nil && of.Properties[name].Type == typ
	}
	meta := s.Properties["metadata"]
	if isA(s, "kind", "string") && isA(s, "apiVersion", "string") && isA(s, "metadata", "object") && isA(meta, "name", "string") && isA(meta, "generateName", "string") {
		return s
	}
	text := func() *Schema { return &Schema{Type: "string"} }
	names := map[string]*Schema{"name": text(), "generateName": text()}
	if s.minor >= namesBounded {
		names = map[string]*Schema{"name": atMost(meta, "name", longestName), "generateName": atMost(meta, "generateName", longestName-1)}
	}
	with := *s
	with.Items = nil // so upstream
	with.Properties = make(map[string]*Schema, len(s.Properties)+3)
	for name, sub := range s.Properties {
		with.Properties[name] = sub
	}
	with.Properties["kind"], with.Properties["apiVersion"] = text(), text()
	with.Properties["metadata"] = &Schema{Type: "object", Properties: names}
	return &with
}

// namesBounded is the first minor that knows how long names are at most, which lowers
// what rules about them can cost (cappedLengthStringType of
// apiextensions-apiserver/pkg/apiserver/schema/cel/model/schemas.go).
const namesBounded = 37

const longestName = 253 // apimachinery pkg/util/validation DNS1123SubdomainMaxLength

// atMost is a text of at most n bytes, or of fewer if the property says so.
func atMost(meta *Schema, property string, n int64) *Schema {
	if meta != nil && meta.Properties[property] != nil && meta.Properties[property].MaxLength != nil {
		n = min(n, *meta.Properties[property].MaxLength)
	}
	return &Schema{Type: "string", MaxLength: &n}
}

func texts(node tree.Object, key string) []string {
	var texts []string
	for _, v := range tree.List(node, key) {
		if s, ok := v.(string); ok {
			texts = append(texts, s)
		}
	}
	return texts
}

// limit is a number of elements, nil if there is no limit. The server takes one
// below zero for zero.
func limit(node tree.Object, key string) *int64 {
	var n int64
	switch v := node[key].(type) {
	case int64:
		n = v
	case float64:
		n = int64(v)
	default:
		return nil
	}
	n = max(n, 0)
	return &n
}
