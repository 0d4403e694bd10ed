package validation

import (
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/format"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Equal compares two values of a type as the registries do, with
// apiequality.Semantic.DeepEqual: quantities by value, no list or map and an
// empty one alike. With exact, an empty one and none differ.
func Equal(a, b any, t *schema.Type, exact bool) bool {
	switch t.Form {
	case schema.Struct:
		x, ok := a.(map[string]any)
		y, ok2 := b.(map[string]any)
		if !ok || !ok2 {
			return a == nil && b == nil
		}
		for i := range t.Fields {
			f := &t.Fields[i]
			if !(unset(f, x[f.Name]) && unset(f, y[f.Name])) && !Equal(x[f.Name], y[f.Name], f.Type, exact) {
				return false
			}
		}
		return true
	case schema.List:
		x, y := tree.List(a), tree.List(b)
		if len(x) != len(y) || exact && (a == nil) != (b == nil) {
			return false
		}
		for i := range x {
			if !Equal(x[i], y[i], t.Elem, exact) {
				return false
			}
		}
		return true
	case schema.Map:
		x, y := tree.Map(a), tree.Map(b)
		if len(x) != len(y) || exact && (a == nil) != (b == nil) {
			return false
		}
		for k, v := range x {
			w, ok := y[k]
			if !ok || !Equal(v, w, t.Elem, exact) {
				return false
			}
		}
		return true
	case schema.Quantity:
		return equalQuantity(a, b)
	}
	return tree.Equal(a, b)
}

// unset reports whether a field has no value, or the zero that Go has for none.
func unset(f *schema.Field, v any) bool {
	switch f.Type.Form {
	case schema.String, schema.Bool, schema.Int, schema.Float:
		return v == nil || !f.Pointer && tree.Empty(v)
	}
	return false
}

// appendAlike writes a text that values share if they are Equal, exactly or not.
func appendAlike(text []byte, v any, t *schema.Type) []byte {
	switch t.Form {
	case schema.Struct:
		m := tree.Map(v)
		for i := range t.Fields {
			f := &t.Fields[i]
			x := m[f.Name]
			if f.Type.Form == schema.List && len(tree.List(x)) == 0 || f.Type.Form == schema.Map && len(tree.Map(x)) == 0 || x == nil || unset(f, x) {
				continue
			}
			text = appendAlike(append(append(text, f.Name...), ':'), x, f.Type)
		}
		return append(text, '}')
	case schema.List:
		for _, item := range tree.List(v) {
			text = append(appendAlike(text, item, t.Elem), ',')
		}
		return append(text, ']')
	case schema.Map:
		m := tree.Map(v)
		for _, key := range tree.Keys(m) {
			text = appendAlike(append(strconv.AppendQuote(text, key), ':'), m[key], t.Elem)
		}
		return append(text, '}')
	case schema.Quantity:
		return append(text, '#') // 1 and 1000m are equal
	}
	switch v := v.(type) {
	case string:
		return strconv.AppendQuote(text, v)
	case int64:
		return strconv.AppendInt(text, v, 10)
	}
	return append(text, '.')
}

func equalQuantity(a, b any) bool {
	x, ok := a.(string)
	y, ok2 := b.(string)
	if !ok || !ok2 || x == y {
		return a == b
	}
	p, err := format.Quantity(x)
	q, err2 := format.Quantity(y)
	return err == nil && err2 == nil && p.Cmp(q) == 0
}

// sameAs is same for values of a type, which tells maps from structs: of a map
// without entries none is left when it is read back.
func sameAs(typ string, a, b any) bool { return Equal(a, b, schema.TypeNamed(typ), false) }

// immutableOf is immutable for a value of a type, which the error shows as the
// internal one.
func immutableOf(typ string, value, old any, p *field.Path) field.ErrorList {
	if sameAs(typ, value, old) {
		return nil
	}
	return field.ErrorList{fixed(field.Invalid(p, internalOrNull(typ, value), isImmutable))}
}
