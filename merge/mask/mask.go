// Package mask hides the values of Secrets, as kubectl diff does (kubectl
// pkg/cmd/diff/diff.go, Masker) and more strictly: kubectl hides the values of
// data only, and of version v1; these functions also hide those of stringData,
// of fields that a Secret does not have, which are often misspelled ones, and
// copies of all of them in annotations such as last-applied.
//
// Keys stay visible, and so does whether a value changed. A Policy says what
// else is masked in this way.
package mask

import (
	"maps"
	"slices"
	"strings"

	"threeway/merge/tree"
)

// What is shown in place of a value.
const (
	Value  = "***"
	Before = "*** (before)" // it differs in the other object of the pair
	After  = "*** (after)"
)

// IsSecret reports whether o has the kind Secret, in any group and version, so
// that a wrong apiVersion does not reveal its values.
func IsSecret(o tree.Object) bool { return tree.String(o, "kind") == "Secret" }

// hiddenFields lists the fields of a Secret to hide, sorted: those that contain
// values, and those that the server does not know. A custom kind named Secret
// has other fields.
func hiddenFields(o tree.Object) []string {
	var fields []string
	for _, field := range slices.Sorted(maps.Keys(o)) {
		if hides(field, o[field], isCore(o)) {
			fields = append(fields, field)
		}
	}
	return fields
}

func isCore(o tree.Object) bool {
	return o != nil && !strings.Contains(tree.String(o, "apiVersion"), "/")
}

// hides reports whether a field of a Secret is hidden.
func hides(field string, value any, core bool) bool {
	switch field {
	case "data", "stringData":
		return true
	case "apiVersion", "kind", "type":
		_, isText := value.(string)
		return core && !isText && value != nil
	case "immutable":
		_, isBool := value.(bool)
		return core && !isBool && value != nil
	case "metadata":
		return false
	}
	return core && value != nil && !isDirective(field, value)
}

// asSecret masks an object as a Secret, whatever its kind field says.
func asSecret(o tree.Object) tree.Object {
	_, o = hide(nil, o, isCore(o))
	return o
}

// patchOfSecret masks a merge patch of a Secret. A patch need not contain the
// kind.
func patchOfSecret(patch, of tree.Object) tree.Object {
	_, masked := hide(nil, patch, isCore(of))
	for field, value := range patch {
		if !hides(field, value, isCore(of)) {
			continue
		}
		original, _ := value.(map[string]any)
		for key, v := range original {
			if v == nil || isDirective(key, v) {
				masked[field].(map[string]any)[key] = v
			}
		}
	}
	return masked
}

// isDirective reports whether a key is a directive of a strategic merge patch
// for a map, and not a value, which in an invalid Secret may have the same key.
func isDirective(key string, v any) bool {
	switch key {
	case "$patch":
		return v == "replace" || v == "merge" || v == "delete"
	case "$retainKeys":
		_, list := v.([]any)
		return list
	}
	return false
}

// hide returns masked copies of both objects; either may be nil.
func hide(from, to tree.Object, core bool) (tree.Object, tree.Object) {
	fields := map[string]bool{}
	for _, o := range []tree.Object{from, to} {
		for field, value := range o {
			fields[field] = fields[field] || hides(field, value, core)
		}
	}
	from, to = maps.Clone(from), maps.Clone(to)
	for field, hidden := range fields {
		if hidden {
			hideValues(from, to, field)
		}
	}
	hideAnnotations(from, to, core)
	return from, to
}

// hideValues masks the values of the object in a field. If the field is not an
// object, which no server accepts, it masks the field.
func hideValues(from, to tree.Object, field string) {
	a, b := openCopy(from, field), openCopy(to, field)
	for key := range a {
		hideValue(a, b, key)
	}
	for key := range b {
		if _, done := a[key]; !done {
			hideValue(a, b, key)
		}
	}
	switch noA, noB := a == nil && from[field] != nil, b == nil && to[field] != nil; {
	case noA && noB:
		hideValue(from, to, field)
	case noA:
		from[field] = Value
	case noB:
		to[field] = Value
	}
}

// openCopy replaces the object in a field by a copy, whose values can be set.
// It returns the copy, or nil if there is no object.
func openCopy(o tree.Object, field string) tree.Object {
	m, ok := o[field].(map[string]any)
	if !ok {
		return nil
	}
	m = maps.Clone(m)
	o[field] = m
	return m
}

// hideValue masks the values of a key, which may be missing in either object.
func hideValue(a, b tree.Object, key string) {
	x, inA := a[key]
	y, inB := b[key]
	switch {
	case inA && inB && !tree.Equal(x, y):
		a[key], b[key] = Before, After
	case inA && inB:
		a[key], b[key] = Value, Value
	case inA:
		a[key] = Value
	case inB:
		b[key] = Value
	}
}
