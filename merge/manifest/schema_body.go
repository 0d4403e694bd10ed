package manifest

import (
	"slices"
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// document adds the custom kinds of an OpenAPI v3 document, as the server publishes it
// (k8s.io/apiextensions-apiserver pkg/controller/openapi/builder), and returns how many.
func (s *Schemas) document(name string, doc tree.Object) (n int) {
	kinds := map[schema.Kind]*Schema{}
	for _, value := range tree.Map(doc, "components", "schemas") {
		published, _ := value.(tree.Object)
		if k := kindIn(published); k.Kind != "" && tree.Has(published, "properties") && // else the schema is not structural, and left out
			strings.Contains(k.Group, ".") && !schema.BuiltinGroup(k.Group) {
			kinds[k] = &Schema{File: name, Body: schemaBody(doc, published)}
		}
	}
	for address, methods := range tree.Map(doc, "paths") {
		place, item, _ := strings.Cut(address, "/{name}")
		if item != "" && item != "/status" && item != "/scale" || !strings.HasSuffix(address, "/{name}"+item) {
			continue
		}
		for _, method := range tree.Map(methods) {
			k := tree.Map(method, "x-kubernetes-group-version-kind")
			found := kinds[schema.Kind{Group: tree.String(k, "group"), Version: tree.String(k, "version"), Kind: tree.String(k, "kind")}]
			if found == nil {
				continue
			}
			if item != "" {
				found.Status, found.Scale = found.Status || item == "/status", found.Scale || item == "/scale"
				continue
			}
			found.Plural, found.Scope = place[strings.LastIndexByte(place, '/')+1:], "Cluster"
			if strings.Contains(place, "/namespaces/{namespace}/") {
				found.Scope = "Namespaced"
			}
		}
	}
	for k, found := range kinds {
		if found.Plural != "" { // else a list, or the document is not whole
			s.told[k] = found
			n++
		}
	}
	return n
}

// schemaBody is a schema as a CustomResourceDefinition has it. doc is what its references point into.
func schemaBody(doc, published tree.Object) tree.Object {
	made := (&schemaConverter{doc: doc}).node(published)
	if meta := tree.Map(made, "properties", "metadata"); meta != nil && !tree.Has(meta, "type") {
		tree.Set(made, tree.Object{"type": "object"}, "properties", "metadata")
	}
	return made
}

// schemaConverter undoes what programs do to the schema of a definition so that validators of JSON
// schemas answer as the server: datreeio's and kubeconform's openapi2jsonschema.py, and the
// server's own builder of OpenAPI documents.
type schemaConverter struct {
	doc   tree.Object
	refs  []string // being resolved
	nodes int      // that references were resolved to
}

// mostNodes is how many nodes references may make: each may be used twice by one that is used twice.
const mostNodes = 1_000_000

// jsonSchemaKeys are keys of JSON schemas and OpenAPI that no definition has.
var jsonSchemaKeys = []string{"$schema", "$id", "$ref", "definitions", "$defs", "x-kubernetes-group-version-kind"}

func (b *schemaConverter) node(s tree.Object) tree.Object {
	if ref := tree.String(s, "$ref"); ref != "" {
		return b.referred(ref)
	}
	if isIntOrString(s) {
		return tree.Object{"x-kubernetes-int-or-string": true}
	}
	if len(b.refs) > 0 {
		b.nodes++
	}
	made := make(tree.Object, len(s))
	for key, v := range s {
		switch value := v.(type) {
		case tree.Object:
			switch key {
			case "properties":
				made[key] = b.properties(value)
				continue
			case "items", "additionalProperties", "not":
				made[key] = b.node(value)
				continue
			}
		case []any:
			switch key {
			case "allOf", "anyOf", "oneOf":
				list := make([]any, len(value))
				for i, one := range value {
					list[i] = one
					if sub, ok := one.(tree.Object); ok {
						list[i] = b.node(sub)
					}
				}
				made[key] = list
				continue
			case "type": // [string, null] for what may be left out
				at := slices.IndexFunc(value, func(one any) bool { return one != "null" })
				if at >= 0 {
					made[key] = value[at]
				}
				continue
			}
		case bool:
			if key == "additionalProperties" && !value && s["properties"] != nil { // which no structural schema has both
				continue
			}
		}
		if !slices.Contains(jsonSchemaKeys, key) {
			made[key] = v
		}
	}
	if tree.Bool(made, "x-kubernetes-embedded-resource") {
		b.embedded(made)
	}
	return made
}

func (b *schemaConverter) properties(fields tree.Object) tree.Object {
	made := make(tree.Object, len(fields))
	for name, v := range fields {
		if field, ok := v.(tree.Object); ok {
			made[name] = b.node(field)
		} // else the additionalProperties: false beside a field called properties
	}
	return made
}

// isIntOrString reports whether a schema stands for one with format int-or-string, of which
// openapi2jsonschema.py leaves nothing else.
func isIntOrString(s tree.Object) bool {
	list := tree.List(s, "oneOf")
	return len(s) == 1 && len(list) == 2 && tree.Equal(list[0], tree.Object{"type": "string"}) && tree.Equal(list[1], tree.Object{"type": "integer"})
}

// embedded removes what the server adds to an embedded resource when it publishes it.
func (b *schemaConverter) embedded(s tree.Object) {
	required := slices.DeleteFunc(slices.Clone(tree.List(s, "required")), func(name any) bool { return name == "apiVersion" || name == "kind" })
	if s["required"] = required; len(required) == 0 {
		delete(s, "required")
	}
}

// referred is what a reference stands for: a schema of the same document, the metadata of an
// object, or anything.
func (b *schemaConverter) referred(ref string) tree.Object {
	anything := tree.Object{"x-kubernetes-preserve-unknown-fields": true}
	if strings.HasSuffix(ref, ".ObjectMeta") {
		return tree.Object{"type": "object"}
	}
	if slices.Contains(b.refs, ref) || b.nodes > mostNodes {
		return anything
	}
	rest, local := strings.CutPrefix(ref, "#/")
	found, ok := tree.Get(b.doc, strings.Split(rest, "/")...)
	target, isSchema := found.(tree.Object)
	if !local || !ok || !isSchema {
		return anything
	}
	b.refs = append(b.refs, ref)
	defer func() { b.refs = b.refs[:len(b.refs)-1] }()
	return b.node(target)
}
