package strategic

import (
	"errors"
	"fmt"
	"strings"

	"threeway/merge/kube/schema"
)

// spot is a position in the schema.
type spot struct {
	typ     *schema.Type
	pointer bool // Go has a pointer to typ here
	openAPI bool // use the OpenAPI v3 document instead of the Go type
}

// field finds a field and its spot. Go ignores case if there is no exact match
// (apimachinery third_party/forked/golang/json/fields.go).
func (s spot) field(key string) (*schema.Field, spot, error) {
	if s.typ.Form != schema.Struct {
		return nil, spot{}, &LookupError{Type: s.typ, Field: key}
	}
	f := s.typ.Field(key)
	for i := 0; f == nil && !s.openAPI && i < len(s.typ.Fields); i++ {
		if strings.EqualFold(s.typ.Fields[i].Name, key) {
			f = &s.typ.Fields[i]
		}
	}
	if f == nil {
		return nil, spot{}, &LookupError{Type: s.typ, Field: key}
	}
	return f, spot{f.Type, f.Pointer, s.openAPI}, nil
}

// list finds a field whose value is a list, and the spot of its items. If the
// schema says that the field is not a list, OpenAPI, and Go for pointers, use
// the field's own type for the items.
func (s spot) list(key string) (*schema.Field, spot, error) {
	f, at, err := s.field(key)
	if lookup, ok := err.(*LookupError); ok {
		lookup.List = true
		return nil, spot{}, err
	}
	switch {
	case f.Type.Form == schema.List:
		at.typ, at.pointer = f.Type.Elem, f.Type.ElemPointer
	case s.openAPI, f.Pointer, f.Type.Form == schema.Bytes:
		at.pointer = false
	case s.pointer:
		return nil, spot{}, errors.New("expected slice or array type, but got: ptr")
	default:
		return nil, spot{}, errors.New("expected slice or array type, but got: struct")
	}
	return f, at, nil
}

// LookupError is returned if a merge needs a field that the schema does not
// have. Its text is that of kubectl's last try, the lookup in Go struct tags.
type LookupError struct {
	Type  *schema.Type // the type without the field
	Field string
	List  bool // its value is a list
}

func (e *LookupError) Error() string {
	kind := goKind(e.Type)
	if kind != "struct" {
		return "merging an object in json but data type is not struct, instead is: " + kind
	}
	name := e.Type.Go[strings.LastIndexByte(e.Type.Go, '.')+1:]
	return fmt.Sprintf("unable to find api field in struct %s for the json field %q", name, e.Field)
}

// OpenAPI returns the text of the same error for kubectl's first try, with the
// server's OpenAPI v3 document.
func (e *LookupError) OpenAPI() string {
	return fmt.Sprintf("unable to find api field %q", e.Field)
}

// OpenAPIV2 returns the text of the same error for kubectl's second try, with
// the OpenAPI v2 document (apimachinery pkg/util/strategicpatch/types.go).
func (e *LookupError) OpenAPIV2() string {
	found := "primitive"
	switch e.Type.Form {
	case schema.Struct:
		if len(e.Type.Fields) > 0 {
			return fmt.Sprintf("unable to find api field %q in %s", e.Field, definition(e.Type.Name))
		}
		found = "map"
	case schema.Map, schema.Any:
		found = "map"
	case schema.List:
		if e.List {
			return "expected visit kind first, then visit array"
		}
		found = "slice"
	}
	if e.List {
		return "expected slice, but got " + found
	}
	return "expected kind, but got " + found
}

// definition returns the name of a type in the OpenAPI documents.
func definition(name string) string {
	root := "io.k8s.api."
	switch group, _, _ := strings.Cut(name, "/"); group {
	case "meta":
		root = "io.k8s.apimachinery.pkg.apis."
	case "apiextensions":
		root = "io.k8s.apiextensions-apiserver.pkg.apis."
	case "apiregistration":
		root = "io.k8s.kube-aggregator.pkg.apis."
	}
	return root + strings.ReplaceAll(name, "/", ".")
}

// goKind returns the name of a type's reflect.Kind.
func goKind(t *schema.Type) string {
	switch t.Form {
	case schema.Map:
		return "map"
	case schema.List, schema.Bytes:
		return "slice"
	case schema.String:
		return "string"
	case schema.Bool:
		return "bool"
	case schema.Int, schema.Float:
		return t.Go
	}
	return "struct"
}
