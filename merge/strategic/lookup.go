package strategic

import (
	"errors"
	"fmt"
	"strings"

	"threeway/merge/schema"
)

// spot is a place in the schema.
type spot struct {
	typ     *schema.Type
	pointer bool // Go has a pointer to typ here
	openAPI bool // go by the OpenAPI v3 document, else by the Go type
}

// field finds a field and the spot it leads to. Go ignores case where there is
// no exact match (apimachinery third_party/forked/golang/json/fields.go).
func (s spot) field(key string) (*schema.Field, spot, error) {
	if s.typ == nil || s.typ.Form != schema.Struct {
		return nil, spot{}, &LookupError{s.typ, key}
	}
	f := s.typ.Field(key)
	for i := 0; f == nil && !s.openAPI && i < len(s.typ.Fields); i++ {
		if strings.EqualFold(s.typ.Fields[i].Name, key) {
			f = &s.typ.Fields[i]
		}
	}
	if f == nil {
		return nil, spot{}, &LookupError{s.typ, key}
	}
	return f, spot{f.Type, f.Pointer, s.openAPI}, nil
}

// list finds a field whose value is a list, and the spot of its elements. If
// the field is none by the schema, OpenAPI and pointers in Go pass for their
// own elements.
func (s spot) list(key string) (*schema.Field, spot, error) {
	f, at, err := s.field(key)
	if err != nil {
		return nil, spot{}, err
	}
	switch {
	case f.Type.Form == schema.List:
		at.typ, at.pointer = f.Type.Elem, f.Type.ElemPointer
		if !s.openAPI && (at.typ.Form == schema.List || at.typ.Form == schema.Bytes) {
			return nil, spot{}, errors.New("unexpected slice of slice")
		}
	case s.openAPI, f.Pointer, f.Type.Form == schema.Bytes:
		at.pointer = false
	case s.pointer:
		return nil, spot{}, errors.New("expected slice or array type, but got: ptr")
	default:
		return nil, spot{}, errors.New("expected slice or array type, but got: struct")
	}
	return f, at, nil
}

// LookupError says that the schema has no field where a merge needs one. Its
// text is that of kubectl's last try, the lookup in Go struct tags.
type LookupError struct {
	Type  *schema.Type // where the field was looked for; nil if its type is unknown
	Field string
}

func (e *LookupError) Error() string {
	kind := goKind(e.Type)
	if kind != "struct" {
		return "merging an object in json but data type is not struct, instead is: " + kind
	}
	name := e.Type.Go[strings.LastIndexByte(e.Type.Go, '.')+1:]
	return fmt.Sprintf("unable to find api field in struct %s for the json field %q", name, e.Field)
}

// OpenAPI is the text of the same error when kubectl calculates the patch from
// the server's OpenAPI v3 document, its first try.
func (e *LookupError) OpenAPI() string {
	return fmt.Sprintf("unable to find api field %q", e.Field)
}

// goKind names the reflect.Kind of a type.
func goKind(t *schema.Type) string {
	if t == nil {
		return "interface"
	}
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
