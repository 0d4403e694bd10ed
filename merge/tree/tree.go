// Package tree holds the plain values that objects are made of once read:
// map[string]any, []any, string, int64, float64, bool and nil, as
// apimachinery's unstructured objects use them.
//
// The getters never fail: a step that is absent, or of another type, yields
// the zero value. Code that must tell "absent" from "zero" indexes the map.
package tree

import (
	"maps"
	"reflect"
	"slices"
	"unsafe"
)

// Object is a JSON object.
type Object = map[string]any

// LastApplied is the annotation in which client-side apply keeps the manifest.
const LastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// Compound reports whether a value has parts: it is an object or a list.
func Compound(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// Get returns the value at the keys, and whether it is there. The getters are called at
// thousands of places; inlined, they took a twentieth of the time to compile and of the binary.
//
//go:noinline
func Get(v any, keys ...string) (any, bool) {
	for _, k := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		if v, ok = m[k]; !ok {
			return nil, false
		}
	}
	return v, true
}

// Map returns the object at the keys, or nil.
//
//go:noinline
func Map(v any, keys ...string) Object {
	v, _ = Get(v, keys...)
	m, _ := v.(map[string]any)
	return m
}

// List returns the list at the keys, or nil.
//
//go:noinline
func List(v any, keys ...string) []any {
	v, _ = Get(v, keys...)
	l, _ := v.([]any)
	return l
}

// String returns the string at the keys, or "".
//
//go:noinline
func String(v any, keys ...string) string {
	v, _ = Get(v, keys...)
	s, _ := v.(string)
	return s
}

// Int returns the integer at the keys and whether there is one.
//
//go:noinline
func Int(v any, keys ...string) (int64, bool) {
	v, _ = Get(v, keys...)
	i, ok := v.(int64)
	return i, ok
}

// Bool returns the boolean at the keys, or false.
//
//go:noinline
func Bool(v any, keys ...string) bool {
	v, _ = Get(v, keys...)
	b, _ := v.(bool)
	return b
}

// Has reports whether a value other than null is at the keys.
//
//go:noinline
func Has(v any, keys ...string) bool {
	v, ok := Get(v, keys...)
	return ok && v != nil
}

// Set puts x at the keys, making the objects on the way.
func Set(m Object, x any, keys ...string) {
	for _, k := range keys[:len(keys)-1] {
		next, ok := m[k].(map[string]any)
		if !ok {
			next = Object{}
			m[k] = next
		}
		m = next
	}
	m[keys[len(keys)-1]] = x
}

// Delete removes the value at the keys, if it is there.
func Delete(m Object, keys ...string) {
	if parent := Map(m, keys[:len(keys)-1]...); parent != nil {
		delete(parent, keys[len(keys)-1])
	}
}

// Keys are the keys of a map, sorted.
func Keys(m Object) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// KeysOfBoth are the keys that either of two maps has, sorted.
func KeysOfBoth(a, b Object) []string {
	both := maps.Clone(a)
	if both == nil {
		both = Object{}
	}
	maps.Copy(both, b)
	return Keys(both)
}

// Copy returns a deep copy of v.
func Copy(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return CopyObject(v)
	case []any:
		l := slices.Clone(v) // nil stays nil
		for i, x := range v {
			l[i] = Copy(x)
		}
		return l
	}
	return v
}

// CopyObject returns a deep copy of m; nil stays nil.
func CopyObject(m Object) Object {
	if m == nil {
		return nil
	}
	c := make(Object, len(m))
	for k, x := range m {
		c[k] = Copy(x)
	}
	return c
}

// Equal reports whether a and b are the same value: same types, same keys,
// same order in lists. 1 and 1.0 differ; use it on trees from one decoder.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && (sameMap(a, b) || maps.EqualFunc(a, b, Equal))
	case []any:
		b, ok := b.([]any)
		return ok && (sameList(a, b) || slices.EqualFunc(a, b, Equal))
	}
	return !Compound(b) && a == b
}

// Same reports whether two values are the same without a look into them.
func Same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && sameMap(a, b)
	case []any:
		b, ok := b.([]any)
		return ok && sameList(a, b)
	}
	return !Compound(b) && a == b
}

func sameMap(a, b map[string]any) bool {
	return reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer()
}

func sameList(a, b []any) bool {
	return len(a) == len(b) && (a == nil) == (b == nil) && unsafe.SliceData(a) == unsafe.SliceData(b)
}

// Empty reports whether v is what Go's omitempty leaves out: null, "", 0,
// false, and lists and objects without elements.
func Empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case int64:
		return v == 0
	case float64:
		return v == 0
	case bool:
		return !v
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// HasNulls reports whether a null is anywhere in v.
func HasNulls(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		for _, x := range v {
			if HasNulls(x) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, HasNulls)
	}
	return false
}

// DropNulls drops the null fields of maps; nulls inside lists stay
// (kubectl pkg/cmd/apply/apply.go DropNullsFromMap).
func DropNulls(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if x == nil {
				delete(v, k)
			} else {
				DropNulls(x)
			}
		}
	case []any:
		for _, x := range v {
			DropNulls(x)
		}
	}
}

// Shallow is a copy of a map with the same values; an empty one of nil. The objects at the
// keys are copied so, too.
func Shallow(m Object, keys ...string) Object {
	if m == nil {
		return Object{}
	}
	c := maps.Clone(m)
	for _, key := range keys {
		if part, is := c[key].(Object); is {
			c[key] = Shallow(part)
		}
	}
	return c
}

// WithoutManagedFields returns an object without managedFields; the rest is shared.
func WithoutManagedFields(obj Object) Object {
	if _, has := Map(obj, "metadata")["managedFields"]; !has {
		return obj
	}
	obj = Shallow(obj, "metadata")
	delete(Map(obj, "metadata"), "managedFields")
	return obj
}
