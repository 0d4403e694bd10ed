package value

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	apiservercel "k8s.io/apiserver/pkg/cel"
)

// object is an object with properties, or a map. What its schema says nothing
// of counts for its size and when it is compared, and cannot be selected.
type object struct {
	fields map[string]any
	schema *Schema
}

var _ traits.Mapper = (*object)(nil)

func objectOf(x any, s *Schema) ref.Val {
	fields, ok := x.(map[string]any)
	if !ok {
		return types.NewErr("invalid data, expected a map for the provided schema with type=object")
	}
	if s.Embedded {
		s = s.Resource()
	}
	return &object{fields, s}
}

// hasProperties reports whether it is an object with properties; their names
// are escaped in expressions, and null is the same as no value.
func (o *object) hasProperties() bool { return o.schema.Properties != nil }

// field is the schema of a field, nil if there is none.
func (o *object) field(name string) *Schema {
	if o.schema.Embedded || o.hasProperties() {
		return o.schema.Properties[name]
	}
	return o.schema.Additional
}

// Find returns a field, and whether there is one.
func (o *object) Find(key ref.Val) (ref.Val, bool) {
	text, ok := key.(types.String)
	if !ok {
		return types.MaybeNoSuchOverloadErr(key), true
	}
	name := string(text)
	if o.hasProperties() {
		if name, ok = apiservercel.Unescape(name); !ok {
			return nil, false
		}
	}
	x, ok := o.fields[name]
	if !ok || x == nil && o.hasProperties() {
		return nil, false
	}
	if s := o.field(name); s != nil {
		return Of(x, s), true
	}
	return nil, false
}

// Get returns a field.
func (o *object) Get(key ref.Val) ref.Val {
	if value, ok := o.Find(key); ok {
		return value
	}
	return types.ValOrErr(key, "no such key: %v", key)
}

// Contains reports whether there is a field.
func (o *object) Contains(key ref.Val) ref.Val {
	value, ok := o.Find(key)
	if value != nil && types.IsUnknownOrError(value) {
		return value
	}
	return types.Bool(ok)
}

// Size counts all fields, those too that the schema does not know.
func (o *object) Size() ref.Val { return types.Int(len(o.fields)) }

// Iterator goes over the names of the fields that the schema knows, sorted;
// upstream's order is random. For each field that the schema does not know, nil
// comes at the end, as upstream: format and others panic at it, and the
// expression fails with an internal error.
//
// Source: unstructuredMap.Iterator of k8s.io/apiserver/pkg/cel/common.
func (o *object) Iterator() traits.Iterator {
	keys := make([]ref.Val, 0, len(o.fields))
	for _, name := range slices.Sorted(maps.Keys(o.fields)) {
		if o.field(name) == nil {
			continue
		}
		if o.hasProperties() {
			if escaped, ok := apiservercel.Escape(name); ok {
				name = escaped
			}
		}
		keys = append(keys, types.String(name))
	}
	return &iterator{items: keys[:len(o.fields)]} // the rest is nil
}

// Equal compares the fields that the schema knows by it, and the others as they
// are.
func (o *object) Equal(other ref.Val) ref.Val {
	mapper, ok := other.(traits.Mapper)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if o.Size() != mapper.Size() {
		return types.False
	}
	for _, name := range slices.Sorted(maps.Keys(o.fields)) {
		if o.field(name) == nil {
			raw, ok := other.(*object)
			if !ok {
				return types.MaybeNoSuchOverloadErr(other)
			}
			if value, ok := raw.fields[name]; ok && !reflect.DeepEqual(o.fields[name], value) {
				return types.False
			}
			continue
		}
		a, found := o.Find(types.String(name))
		b, otherFound := mapper.Find(types.String(name))
		if found != otherFound {
			return types.False
		}
		if !found {
			continue
		}
		if equal := a.Equal(b); equal != types.True {
			return equal // false or an error
		}
	}
	return types.True
}

// ConvertToNative gives the map itself.
func (o *object) ConvertToNative(to reflect.Type) (any, error) {
	if to.Kind() == reflect.Map {
		return o.fields, nil
	}
	return nil, fmt.Errorf("type conversion error from '%s' to '%s'", o.Type(), to)
}

// ConvertToType gives the map itself, or its type.
func (o *object) ConvertToType(to ref.Type) ref.Val {
	return converted(o, to)
}

// converted is a list or map as a type: itself, or its type.
func converted(v ref.Val, to ref.Type) ref.Val {
	switch to {
	case v.Type():
		return v
	case types.TypeType:
		return v.Type().(ref.Val)
	}
	return types.NewErr("type conversion error from '%s' to '%s'", v.Type(), to.TypeName())
}

// Type is map.
func (o *object) Type() ref.Type { return types.MapType }

// Value is the map itself.
func (o *object) Value() any { return o.fields }

// iterator goes over values. It is a value itself, as CEL wants.
type iterator struct {
	ref.Val
	items []ref.Val
	next  int
}

// HasNext reports whether there is another value.
func (it *iterator) HasNext() ref.Val { return types.Bool(it.next < len(it.items)) }

// Next returns it.
func (it *iterator) Next() ref.Val {
	item := it.items[it.next]
	it.next++
	return item
}
