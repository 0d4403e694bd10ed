package server

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"threeway/merge/schema"
	"threeway/merge/tree"
)

// changed compares a field of two decoded objects as the registries do, with
// apiequality.Semantic.DeepEqual: quantities by value, no list and an empty
// one alike. With exact, an empty list and none differ.
func changed(obj, old tree.Object, t *schema.Type, path string, exact bool) bool {
	keys := strings.Split(path, ".")
	a, _ := tree.Get(obj, keys...)
	b, _ := tree.Get(old, keys...)
	for _, key := range keys {
		f := t.Field(key)
		if f == nil {
			return !tree.Equal(a, b)
		}
		t = f.Type
	}
	return !equal(a, b, t, exact)
}

func equal(a, b any, t *schema.Type, exact bool) bool {
	switch t.Form {
	case schema.Struct:
		x, ok := a.(map[string]any)
		y, ok2 := b.(map[string]any)
		if !ok || !ok2 {
			return a == nil && b == nil
		}
		for i := range t.Fields {
			f := &t.Fields[i]
			if !equal(x[f.Name], y[f.Name], f.Type, exact) {
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
			if !equal(x[i], y[i], t.Elem, exact) {
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
			if !ok || !equal(v, w, t.Elem, exact) {
				return false
			}
		}
		return true
	case schema.Quantity:
		return equalQuantity(a, b)
	}
	return tree.Equal(a, b)
}

func equalQuantity(a, b any) bool {
	x, ok := a.(string)
	y, ok2 := b.(string)
	if !ok || !ok2 || x == y {
		return a == b
	}
	p, err := resource.ParseQuantity(x)
	q, err2 := resource.ParseQuantity(y)
	return err == nil && err2 == nil && p.Cmp(q) == 0
}
