package schema

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"threeway/merge/tree"
)

// Internal wraps v, a tree of the versioned type named typ, such as
// "core/v1.PodTemplateSpec" or "[]networking/v1.IngressRule", so that it
// marshals to the JSON of the internal type (pkg/apis/core/types.go and the like),
// as Kubernetes 1.36 has it unless [OfMinor] says otherwise. field.Invalid prints
// that since 1.34.
// The internal types have few tags, so the JSON has Go names in Go order, with
// zero values, and null for missing lists, maps and pointers. Types without an
// internal twin, such as those of metav1, use their own tags.
//
// v must be the value after defaulting; Internal normalizes nothing. A nil v is
// the type's zero value: for a nil pointer, pass an unwrapped nil.
func Internal(typ string, v any) any { return internalValue{typ, v, usual} }

// usual is the minor whose facts the tables prefer.
const usual = 36

// OfMinor is what [Internal] has wrapped, as Kubernetes 1.minor has its type. It
// returns any other value as it is.
func OfMinor(v any, minor int) any {
	if wrapped, ok := v.(internalValue); ok {
		wrapped.minor = minor
		return wrapped
	}
	return v
}

type internalValue struct {
	typ   string
	tree  any
	minor int
}

// MarshalJSON implements [json.Marshaler].
func (v internalValue) MarshalJSON() ([]byte, error) {
	versioned, internal := twins(v.typ)
	if versioned == nil {
		return json.Marshal(v.tree)
	}
	p := printer{minor: v.minor}
	p.value(internal, versioned, v.tree)
	return p.Bytes(), p.err
}

// twins returns the versioned type and its internal twin; without a twin, the
// versioned type twice.
func twins(typ string) (versioned, internal *Type) {
	if elem, ok := strings.CutPrefix(typ, "[]"); ok {
		v, i := twins(elem)
		if v == nil {
			return nil, nil
		}
		return &Type{Form: List, Elem: v}, &Type{Form: List, Elem: i}
	}
	pkg, name, _ := strings.Cut(typ, ".")
	group, _, _ := strings.Cut(pkg, "/")
	versioned, internal = TypeNamed(typ), TypeNamed("internal/"+group+"."+name)
	if internal == nil {
		internal = versioned
	}
	return versioned, internal
}

// printer writes trees of versioned types as internal ones.
type printer struct {
	bytes.Buffer
	minor int
	err   error
}

// plain writes v unchanged.
func (p *printer) plain(v any) {
	text, err := json.Marshal(v)
	if err != nil && p.err == nil {
		p.err = err
	}
	p.Write(text)
}

// value writes v, which must not be a nil pointer.
func (p *printer) value(internal, versioned *Type, v any) {
	switch internal.Form {
	case Struct:
		v, versioned = unite(versioned, v)
		p.object(internal, versioned, lift(versioned, tree.Map(v)))
	case Map:
		p.entries(internal, versioned, v)
	case List:
		p.list(internal, versioned, v)
	default:
		if v == nil {
			p.WriteString(zero(internal.Form))
		} else {
			p.plain(v)
		}
	}
}

// zero returns the JSON of a form's zero value.
func zero(form Form) string {
	switch form {
	case String:
		return `""`
	case Bool:
		return "false"
	case Int, Float, IntOrString:
		return "0"
	case Quantity:
		return `"0"`
	case Duration:
		return `"0s"`
	}
	return "null"
}

func (p *printer) pointer(null bool, internal, versioned *Type, v any) {
	if null && v == nil {
		p.WriteString("null")
		return
	}
	p.value(internal, versioned, v)
}

func (p *printer) list(internal, versioned *Type, v any) {
	items, ok := v.([]any)
	if !ok {
		p.plain(v)
		return
	}
	items = hoist(versioned.Elem, items)
	p.WriteByte('[')
	for i, item := range items {
		if i > 0 {
			p.WriteByte(',')
		}
		p.pointer(internal.ElemPointer, internal.Elem, versioned.Elem, item)
	}
	p.WriteByte(']')
}

func (p *printer) entries(internal, versioned *Type, v any) {
	m, ok := v.(map[string]any)
	if !ok {
		p.plain(v)
		return
	}
	p.WriteByte('{')
	for i, k := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			p.WriteByte(',')
		}
		p.plain(k)
		p.WriteByte(':')
		p.pointer(internal.ElemPointer, internal.Elem, versioned.Elem, m[k])
	}
	p.WriteByte('}')
}

func (p *printer) object(internal, versioned *Type, m tree.Object) {
	p.WriteByte('{')
	first := true
	for i := range internal.Fields {
		f := &internal.Fields[i]
		typ, v := counterpart(f, versioned, m)
		if !f.In(p.minor) || f.omits(v) {
			continue
		}
		if !first {
			p.WriteByte(',')
		}
		first = false
		p.plain(f.Name)
		p.WriteByte(':')
		p.pointer(f.Pointer, f.Type, typ, v)
	}
	p.WriteByte('}')
}

// omits reports whether encoding/json leaves the field out. omitempty does not
// apply to structs, and times and quantities are structs.
func (f *Field) omits(v any) bool {
	switch {
	case v == nil && (f.OmitZero || f.OmitEmpty && f.Pointer):
		return true
	case !f.OmitEmpty || f.Pointer:
		return false
	}
	switch f.Type.Form {
	case Struct, Quantity, IntOrString, Time, MicroTime, Duration:
		return false
	}
	return tree.Empty(v)
}

// counterpart returns the value of an internal field in an object of the
// versioned type, and the versioned type of the field.
func counterpart(f *Field, versioned *Type, m tree.Object) (*Type, any) {
	for i := range versioned.Fields {
		if same := &versioned.Fields[i]; same.Go == f.Go {
			return same.Type, m[same.Name]
		}
	}
	if f.Name != f.Go { // a metadata field: ObjectMeta is embedded, and has tags
		return f.Type, tree.Map(m, "metadata")[f.Name]
	}
	if f.Type.Form == Struct && !f.Pointer { // the versioned type inlines it
		return versioned, m
	}
	return f.Type, m[jsonName(f.Go)]
}
