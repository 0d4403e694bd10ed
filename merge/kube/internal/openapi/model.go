package openapi

import (
	"strings"

	"threeway/merge/kube/schema"
)

// Model is a schema of the OpenAPI v2 document as kubectl parses it
// (kube-openapi pkg/util/proto/document.go).
type Model struct {
	form form
	// path is the name of the model, and the fields from there on.
	path string
	typ  string // of a primitive: string, integer, number, boolean
	// elem is the model of the elements of a mapping or list.
	elem func() *Model
	// field returns the model of a field of an object, nil if it has none.
	field    func(name string) *Model
	required []string
}

// form is what a model describes.
type form uint8

const (
	arbitrary form = iota // any value
	object                // with known fields
	mapping               // with any keys
	list
	primitive
)

// Builtin is the model of a built-in kind as Kubernetes 1.minor has it, nil if
// there is none.
func Builtin(k schema.Kind, minor int) *Model {
	t := schema.Lookup(k)
	if t == nil {
		return nil
	}
	return builtin{minor}.model(t, "", nil)
}

// objectMeta is the model of metadata.
func objectMeta(minor int) *Model {
	return builtin{minor}.model(schema.TypeNamed("meta/v1.ObjectMeta"), "", nil)
}

// ListOf is the model of a list of objects of the model: kind FooList.
func ListOf(item *Model) *Model {
	path := item.path + "List"
	return &Model{form: object, path: path, required: []string{"items"}, field: func(name string) *Model {
		switch name {
		case "apiVersion", "kind":
			return &Model{form: primitive, path: path + "." + name, typ: "string"}
		case "metadata":
			return listMeta()
		case "items":
			return &Model{form: list, path: path + ".items", elem: func() *Model { return item }}
		}
		return nil
	}}
}

// builtin makes the models of Go types.
type builtin struct{ minor int }

// model is that of a type in a place: the path counts unless the type is a model
// of its own. owner is the struct that the place is in.
func (b builtin) model(t *schema.Type, path string, owner *schema.Type) *Model {
	if name := modelName(t); name != "" {
		path = name
	}
	m := &Model{path: path}
	switch t.Form {
	case schema.Struct:
		if len(t.Fields) == 0 {
			return mappingOfAny(path)
		}
		m.form, m.field = object, func(name string) *Model {
			if f := t.Field(name); f != nil && f.In(b.minor) {
				return b.model(f.Type, path+"."+name, t)
			}
			return nil
		}
		for i := range t.Fields {
			if f := &t.Fields[i]; f.Required(b.minor) && f.In(b.minor) {
				m.required = append(m.required, f.Name)
			}
		}
	case schema.Map, schema.List:
		if m.form = mapping; t.Form == schema.List {
			m.form = list
		}
		m.elem = func() *Model { return b.model(t.Elem, path, owner) }
	case schema.Bool:
		m.form, m.typ = primitive, "boolean"
	case schema.Int:
		m.form, m.typ = primitive, "integer"
	case schema.Float:
		m.form, m.typ = primitive, "number"
	case schema.Any:
		b.any(m, owner)
	case schema.SchemaOrBool, schema.SchemaOrArray, schema.SchemaOrStrings:
		m.form = arbitrary
	default:
		m.form, m.typ = primitive, "string"
	}
	return m
}

// any is the model of a value that Go takes as it is: JSON in the schemas of
// CustomResourceDefinitions may be anything, a RawExtension or FieldsV1 is an
// object.
func (b builtin) any(m *Model, owner *schema.Type) {
	switch {
	case strings.HasPrefix(owner.Name, "apiextensions/"):
		return
	case owner.Name == "meta/v1.ManagedFieldsEntry":
		m.path = "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1"
	default:
		m.path = "io.k8s.apimachinery.pkg.runtime.RawExtension"
	}
	*m = *mappingOfAny(m.path)
}

// mappingOfAny is the model "type: object" without more.
func mappingOfAny(path string) *Model {
	return &Model{form: mapping, path: path, elem: func() *Model { return &Model{} }}
}

// packages are those whose models are not called "io.k8s.api." and the package.
var packages = map[string]string{
	"meta/v1":            "io.k8s.apimachinery.pkg.apis.meta.v1",
	"apiextensions/v1":   "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
	"apiregistration/v1": "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1",
}

// modelName is the name of the model that a type has of its own, "" if it is
// written where it is used.
func modelName(t *schema.Type) string {
	switch t.Form {
	case schema.Quantity:
		return "io.k8s.apimachinery.pkg.api.resource.Quantity"
	case schema.IntOrString:
		return "io.k8s.apimachinery.pkg.util.intstr.IntOrString"
	case schema.Time:
		return packages["meta/v1"] + ".Time"
	case schema.MicroTime:
		return packages["meta/v1"] + ".MicroTime"
	case schema.Duration:
		return packages["meta/v1"] + ".Duration"
	case schema.Struct:
		in, name, _ := strings.Cut(t.Name, ".")
		pkg, ok := packages[in]
		if !ok {
			pkg = "io.k8s.api." + strings.ReplaceAll(in, "/", ".")
		}
		return pkg + "." + name
	}
	return ""
}
