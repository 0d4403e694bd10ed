package value

import (
	"fmt"
	"reflect"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"threeway/merge/format"
)

// Of is a value of an object as an expression sees it. What the schema does not
// know is not seen, and what does not fit it is an error where it is used.
//
// Source: UnstructuredToVal of k8s.io/apiserver/pkg/cel/common/valuesunstructured.go.
func Of(x any, s *Schema) ref.Val {
	if x == nil {
		if s.Nullable {
			return types.NullValue
		}
		return types.NewErr("invalid data, got null for schema with nullable=false")
	}
	if s.IntOrString {
		switch x := x.(type) {
		case string:
			return types.String(x)
		case int64:
			return types.Int(x)
		}
		return types.NewErr("invalid data, expected XIntOrString value to be either a string or integer")
	}
	switch s.Type {
	case "object":
		return objectOf(x, s)
	case "array":
		return listOf(x, s)
	case "string":
		return textOf(x, s)
	case "number":
		switch x := x.(type) {
		case int64:
			return types.Double(x)
		case float64:
			return types.Double(x)
		}
		return types.NewErr("invalid data, expected float, got %T", x)
	case "integer":
		if n, ok := x.(int64); ok {
			return types.Int(n)
		}
		return types.NewErr("invalid data, expected int, got %T", x)
	case "boolean":
		if b, ok := x.(bool); ok {
			return types.Bool(b)
		}
		return types.NewErr("invalid data, expected bool, got %T", x)
	}
	if s.Preserve {
		return &preserved{x}
	}
	return types.NewErr("invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got %s", s.Type)
}

func textOf(x any, s *Schema) ref.Val {
	text, ok := x.(string)
	if !ok {
		return types.NewErr("invalid data, expected string, got %T", x)
	}
	switch s.Format {
	case "duration":
		d, err := format.Duration(text)
		if err != nil {
			return types.NewErr("Invalid duration %s: %v", text, err)
		}
		return types.Duration{Duration: d}
	case "date":
		t, err := format.Date(text)
		if err != nil {
			return types.NewErr("Invalid date formatted string %s: %v", text, err)
		}
		return types.Timestamp{Time: t}
	case "date-time":
		t, err := format.DateTime(text)
		if err != nil {
			return types.NewErr("Invalid date-time formatted string %s: %v", text, err)
		}
		return types.Timestamp{Time: t}
	case "byte":
		b, err := format.Bytes(text)
		if err != nil {
			return types.NewErr("Invalid byte formatted string %s: %v", text, err)
		}
		return types.Bytes(b)
	}
	return types.String(text)
}

// preserved is a value of which the schema says nothing. It can only be
// compared.
type preserved struct{ x any }

// ConvertToNative is not possible.
func (p *preserved) ConvertToNative(to reflect.Type) (any, error) {
	return nil, fmt.Errorf("type conversion to '%s' not supported for values preserved by x-kubernetes-preserve-unknown-fields", to)
}

// ConvertToType is not possible.
func (p *preserved) ConvertToType(to ref.Type) ref.Val {
	return types.NewErr("type conversion to '%s' not supported for values preserved by x-kubernetes-preserve-unknown-fields", to.TypeName())
}

// Equal compares all of both values.
func (p *preserved) Equal(other ref.Val) ref.Val {
	return types.Bool(reflect.DeepEqual(p.x, other.Value()))
}

// Type is that of what is not known.
func (p *preserved) Type() ref.Type { return types.UnknownType }

// Value is the value itself.
func (p *preserved) Value() any { return p.x }
