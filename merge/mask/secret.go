package mask

import (
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// form is how much of an object is hidden without a policy.
type form int

// The forms.
const (
	public form = iota
	// holder is what has values in data and stringData: a custom kind named Secret,
	// and a kind of the core group that no server has.
	holder
	// sealed is a Secret, and what was meant to be one: hidden is all that is not in a
	// field that a Secret has.
	sealed
)

// IsSecret reports whether o has the kind Secret, in any group and version, so
// that a wrong apiVersion does not reveal its values.
func IsSecret(o tree.Object) bool { return tree.String(o, "kind") == "Secret" }

// formOf is the form of an object. One that is inside another may be a reference,
// which has a kind and a name only.
func formOf(o tree.Object, inside bool) form {
	kind := tree.String(o, "kind")
	switch {
	case nearSecret(kind):
		if inside && o["metadata"] == nil && !hasData(o) {
			return public
		}
		if isCore(o) {
			return sealed
		}
		return holder
	case !inside && kind != "" && isCore(o) && o["stringData"] != nil:
		return holder // only Secrets have it
	case kind == "" || inside && tree.String(o, "apiVersion") == "" || !isCore(o) || !hasData(o):
		return public
	}
	k := schema.ParseKind("v1", kind)
	if _, known := schema.Builtin(k); known {
		return public
	}
	if _, known := schema.InSmallLetters(k); known {
		return public
	}
	return holder
}

func isCore(o tree.Object) bool {
	return o != nil && !strings.Contains(strings.TrimPrefix(tree.String(o, "apiVersion"), "/"), "/")
}

// hasData reports whether an object has a field for the values of a Secret.
func hasData(o tree.Object) bool {
	for field, value := range o {
		if value != nil && isData(field) {
			return true
		}
	}
	return false
}

// isData reports whether a field is data or stringData, or was meant to be.
func isData(field string) bool {
	switch field {
	case "data", "stringData":
		return true
	case "metadata", "kind", "type", "apiVersion", "immutable", "spec", "status":
		return false
	}
	field = strings.ToLower(field)
	return field == "data" || distance(field, "stringdata") <= 2
}

// nearSecret reports whether a kind is Secret, or so close to it that it was meant
// to be: secret, Secrets, Secert.
func nearSecret(kind string) bool {
	return kind == "Secret" || len(kind) >= 4 && len(kind) <= 8 && distance(strings.ToLower(kind), "secret") <= 2
}

// distance counts the letters that were added, left out, changed or swapped with
// the next one between two words; 3 stands for more than 2.
func distance(a, b string) int {
	if len(a)-len(b) > 2 || len(b)-len(a) > 2 {
		return 3
	}
	var rows [3][len("stringdata") + 1]int // no word is compared with a longer one
	for i := 0; i <= len(a); i++ {
		row, last, older := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		for j := 0; j <= len(b); j++ {
			switch {
			case i == 0:
				row[j] = j
			case j == 0:
				row[j] = i
			default:
				row[j] = last[j-1]
				if a[i-1] != b[j-1] {
					row[j] = 1 + min(last[j-1], last[j], row[j-1])
				}
				if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
					row[j] = min(row[j], 1+older[j-2])
				}
			}
		}
	}
	return min(rows[len(a)%3][len(b)], 3)
}

// hides reports whether a field of an object of the form is hidden.
func (f form) hides(field string, value any) bool {
	if f == public || value == nil || isDirective(field, value) {
		return false
	}
	if isData(field) {
		return true
	}
	if f == holder {
		return false
	}
	switch field {
	case "apiVersion", "kind", "type":
		_, isText := value.(string)
		return !isText
	case "immutable":
		_, isBool := value.(bool)
		return !isBool
	case "metadata":
		_, isObject := value.(tree.Object)
		return !isObject
	}
	return true
}

// metadata are the fields that the metadata of every object has.
var metadata = map[string]bool{
	"name": true, "generateName": true, "namespace": true, "selfLink": true, "uid": true, "resourceVersion": true, "generation": true,
	"creationTimestamp": true, "deletionTimestamp": true, "deletionGracePeriodSeconds": true, "labels": true, "annotations": true,
	"ownerReferences": true, "finalizers": true, "managedFields": true,
}

// hidesInMetadata is hides for a field of the metadata, in which data may be by a
// wrong indentation.
func (f form) hidesInMetadata(field string, value any) bool {
	return value != nil && !isDirective(field, value) && !strings.HasPrefix(field, "$") && (f == sealed && !metadata[field] || f == holder && isData(field))
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
