package cel

import (
	"fmt"
	"reflect"
	"strings"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"k8s.io/apiserver/pkg/cel/mutation/dynamic"
)

// patchTypes adds the types of mutations: Object and Object.FIELD…, which take
// any field, and JSONPatch.
//
// Source: k8s.io/apiserver/pkg/cel/mutation.
func patchTypes(env *celgo.Env) (*celgo.Env, error) {
	return celgo.CustomTypeProvider(&patchProvider{env.CELTypeProvider()})(env)
}

// patchProvider knows the types of mutations, and asks another for the rest.
type patchProvider struct{ types.Provider }

const objectName = "Object"

func isObject(name string) bool {
	return name == objectName || strings.HasPrefix(name, objectName+".")
}

// FindStructType returns the type of a name.
func (p *patchProvider) FindStructType(name string) (*types.Type, bool) {
	switch {
	case name == jsonPatchType.TypeName():
		return types.NewTypeTypeWithParam(jsonPatchType), true
	case isObject(name):
		return types.NewTypeTypeWithParam(dynamic.NewObjectType(name).Type()), true
	}
	return p.Provider.FindStructType(name)
}

// FindStructFieldNames returns the fields of a type.
func (p *patchProvider) FindStructFieldNames(name string) ([]string, bool) {
	switch {
	case name == jsonPatchType.TypeName():
		return []string{"op", "from", "path", "value"}, true
	case isObject(name):
		return dynamic.NewObjectType(name).FieldNames()
	}
	return p.Provider.FindStructFieldNames(name)
}

// FindStructFieldType returns the type of a field. Upstream, JSONPatch has
// every field, those that it does not know without a type.
func (p *patchProvider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	switch {
	case name == jsonPatchType.TypeName():
		switch field {
		case "op", "from", "path":
			return &types.FieldType{Type: celgo.StringType}, true
		case "value":
			return &types.FieldType{Type: types.DynType}, true
		}
		return &types.FieldType{}, true
	case isObject(name):
		return dynamic.NewObjectType(name).Field(field)
	}
	return p.Provider.FindStructFieldType(name, field)
}

// NewValue makes a value of the fields.
func (p *patchProvider) NewValue(name string, fields map[string]ref.Val) ref.Val {
	switch {
	case name == jsonPatchType.TypeName():
		return newJSONPatch(fields)
	case isObject(name):
		return dynamic.NewObjectType(name).Val(fields)
	}
	return p.Provider.NewValue(name, fields)
}

var jsonPatchType = types.NewObjectType("JSONPatch")

// JSONPatch is a value of the type JSONPatch: one operation. Patch is its value,
// nil if it has none.
type JSONPatch struct {
	Op, From, Path string
	Patch          ref.Val
}

func newJSONPatch(fields map[string]ref.Val) ref.Val {
	p := &JSONPatch{Patch: fields["value"]}
	for name, to := range map[string]*string{"op": &p.Op, "path": &p.Path, "from": &p.From} {
		if value, ok := fields[name]; ok {
			if *to, ok = value.Value().(string); !ok {
				return types.NewErr("unexpected type %T for JSONPatchType '%s' field", value.Value(), name)
			}
		}
	}
	for name := range fields {
		switch name {
		case "op", "path", "from", "value":
		default:
			return types.NewErr("unexpected JSONPatchType field: %s", name)
		}
	}
	return p
}

// ConvertToNative gives the value itself.
func (p *JSONPatch) ConvertToNative(to reflect.Type) (any, error) {
	if to == reflect.TypeFor[*JSONPatch]() {
		return p, nil
	}
	return nil, fmt.Errorf("cannot convert to native type: %v", to)
}

// ConvertToType gives the value itself or its type.
func (p *JSONPatch) ConvertToType(to ref.Type) ref.Val {
	switch to {
	case jsonPatchType:
		return p
	case types.TypeType:
		return types.NewTypeTypeWithParam(jsonPatchType)
	}
	return types.NewErr("unsupported type: %s", to.TypeName())
}

// Equal compares all fields.
func (p *JSONPatch) Equal(other ref.Val) ref.Val {
	o, ok := other.(*JSONPatch)
	switch {
	case !ok, p.Op != o.Op, p.From != o.From, p.Path != o.Path, (p.Patch == nil) != (o.Patch == nil):
		return types.False
	case p.Patch == nil:
		return types.True
	}
	return p.Patch.Equal(o.Patch)
}

// Get returns a field.
func (p *JSONPatch) Get(index ref.Val) ref.Val {
	switch index.Value() {
	case "op":
		return types.String(p.Op)
	case "path":
		return types.String(p.Path)
	case "from":
		return types.String(p.From)
	case "value":
		return p.Patch
	}
	return types.NewErr("unsupported indexer: %s", index)
}

// IsSet reports whether a field has a value.
func (p *JSONPatch) IsSet(field ref.Val) ref.Val {
	switch field.Value() {
	case "op":
		return types.Bool(p.Op != "")
	case "path":
		return types.Bool(p.Path != "")
	case "from":
		return types.Bool(p.From != "")
	case "value":
		return types.Bool(p.Patch != nil)
	}
	return types.NewErr("unsupported field: %s", field)
}

// Type is JSONPatch.
func (p *JSONPatch) Type() ref.Type { return jsonPatchType }

// Value is the value itself.
func (p *JSONPatch) Value() any { return p }
