package value

import (
	"slices"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"

	apiservercel "k8s.io/apiserver/pkg/cel"
)

// Type is the type that a value has in expressions, with the most elements it
// can have; nil if it cannot be seen: nothing is known of what it contains.
// isResource says that the schema is that of an object or of one within.
//
// Source: SchemaDeclType of k8s.io/apiserver/pkg/cel/common/schemas.go.
func Type(s *Schema, isResource bool) *apiservercel.DeclType {
	if s == nil {
		return nil
	}
	if s.IntOrString {
		return sized(apiservercel.NewSimpleTypeWithMinSize("dyn", celgo.DynType, nil, 1), s.bytes(apiservercel.DefaultMaxRequestSizeBytes-2))
	}
	if isResource {
		s = s.Resource()
	}
	switch s.Type {
	case "array":
		return listType(s)
	case "object":
		if s.Additional != nil {
			return mapType(s)
		}
		return objectType(s)
	case "string":
		return textType(s)
	case "boolean":
		return apiservercel.BoolType
	case "number":
		return apiservercel.DoubleType
	case "integer":
		return apiservercel.IntType
	}
	return nil
}

func sized(t *apiservercel.DeclType, elements int64) *apiservercel.DeclType {
	t.MaxElements = elements
	return t
}

func listType(s *Schema) *apiservercel.DeclType {
	if s.Items == nil {
		return nil
	}
	item := Type(s.Items, s.Items.Embedded)
	if item == nil {
		return nil
	}
	if s.MaxItems != nil {
		return apiservercel.NewListType(item, *s.MaxItems)
	}
	// Brackets, and a comma for each item.
	return apiservercel.NewListType(item, (apiservercel.DefaultMaxRequestSizeBytes-2)/(item.MinSerializedSize+1))
}

func mapType(s *Schema) *apiservercel.DeclType {
	item := Type(s.Additional, s.Additional.Embedded)
	if item == nil {
		return nil
	}
	if s.MaxProperties != nil {
		return apiservercel.NewMapType(apiservercel.StringType, item, *s.MaxProperties)
	}
	// Braces, and for each entry a key of two letters, quotes, colon and comma.
	return apiservercel.NewMapType(apiservercel.StringType, item, (apiservercel.DefaultMaxRequestSizeBytes-2)/(item.MinSerializedSize+6))
}

// objectType has the fields whose names can be written in CEL. What an object
// takes at least is its required fields, unless they have a default.
func objectType(s *Schema) *apiservercel.DeclType {
	fields := make(map[string]*apiservercel.DeclField, len(s.Properties))
	size := int64(2)
	for name, property := range s.Properties {
		typ := Type(property, property.Embedded)
		if typ == nil {
			continue
		}
		required := slices.Contains(s.Required, name)
		if escaped, ok := apiservercel.Escape(name); ok {
			fields[escaped] = apiservercel.NewDeclField(escaped, typ, required, property.Enum, property.Default)
		}
		if required && property.Default == nil {
			size += int64(len(name)) + typ.MinSerializedSize + 4
		}
	}
	object := apiservercel.NewObjectType("object", fields)
	object.MinSerializedSize = size
	return object
}

func textType(s *Schema) *apiservercel.DeclType {
	const most = apiservercel.DefaultMaxRequestSizeBytes - 2
	switch s.Format {
	case "byte":
		bytes := apiservercel.NewSimpleTypeWithMinSize("bytes", celgo.BytesType, types.Bytes{}, apiservercel.MinStringSize)
		if s.MaxLength != nil {
			return sized(bytes, *s.MaxLength)
		}
		return sized(bytes, most)
	case "duration":
		return sized(apiservercel.NewSimpleTypeWithMinSize("duration", celgo.DurationType, types.Duration{}, apiservercel.MinDurationSizeJSON),
			apiservercel.MaxDurationSizeJSON)
	case "date":
		return sized(apiservercel.NewSimpleTypeWithMinSize("timestamp", celgo.TimestampType, types.Timestamp{}, apiservercel.JSONDateSize),
			apiservercel.JSONDateSize)
	case "date-time":
		return sized(apiservercel.NewSimpleTypeWithMinSize("timestamp", celgo.TimestampType, types.Timestamp{}, apiservercel.MinDatetimeSizeJSON),
			apiservercel.MaxDatetimeSizeJSON)
	}
	text := apiservercel.NewSimpleTypeWithMinSize("string", celgo.StringType, types.String(""), apiservercel.MinStringSize)
	if s.MaxLength == nil && len(s.Enum) > 0 {
		longest := 0
		for _, v := range s.Enum {
			if name, ok := v.(string); ok {
				longest = max(longest, len(name))
			}
		}
		return sized(text, int64(longest))
	}
	return sized(text, s.bytes(most))
}

// bytes are the most that a text can have: four for a character.
func (s *Schema) bytes(without int64) int64 {
	if s.MaxLength != nil {
		return *s.MaxLength * 4
	}
	return without
}

// Sizes tells the checker how large the value of the variable self, and what is
// in it, can be.
func Sizes(self *apiservercel.DeclType) checker.CostEstimator { return sizes{self} }

type sizes struct{ self *apiservercel.DeclType }

// EstimateSize follows a path from self; nil if it leads to nothing that is known.
func (s sizes) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	path := node.Path()
	if len(path) == 0 {
		return nil
	}
	at := s.self
	for _, name := range path[1:] {
		switch name {
		case "@items", "@values":
			at = at.ElemType
		case "@keys":
			at = at.KeyType
		default:
			field, ok := at.Fields[name]
			if !ok {
				return nil
			}
			at = field.Type
		}
		if at == nil {
			return nil
		}
	}
	return &checker.SizeEstimate{Max: uint64(at.MaxElements)}
}

// EstimateCallCost leaves calls to others.
func (sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}
