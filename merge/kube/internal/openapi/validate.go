// Package openapi validates objects as kubectl itself does, against the server's
// OpenAPI v2 document. kubectl leaves validation to the server but for what the
// server cannot be asked about: Lists, which it sends item by item.
//
// It follows k8s.io/kubectl/pkg/validation and, for the walk and its words,
// k8s.io/kube-openapi/pkg/util/proto (document.go) and .../proto/validation. The
// document is not stored: models of built-in kinds are made from package schema,
// those of custom kinds from their CustomResourceDefinition.
package openapi

import (
	"fmt"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// Validate returns what the model of an object's kind does not allow, in kubectl's
// words and in the order in which kubectl finds it. name is the kind, with which
// paths begin in the words. The path of a missing field is that of its parent.
func Validate(obj tree.Object, name string, model *Model) []fault.Fault {
	w := &walk{}
	w.value(place{name, nil}, obj, model)
	return w.faults
}

// walk goes through a value and its model side by side.
type walk struct{ faults []fault.Fault }

// place is where the walk is: as kubectl spells it, and as a path.
type place struct {
	text string
	path fieldpath.Path
}

func (p place) field(name string) place { return place{p.text + "." + name, p.path.Child(name)} }
func (p place) item(i int) place        { return place{fmt.Sprintf("%s[%d]", p.text, i), p.path.Item(i)} }

// invalid records a ValidationError, of which the text is about the place.
func (w *walk) invalid(code fault.Code, at place, path fieldpath.Path, format string, args ...any) {
	text := fault.Words("ValidationError(%s): %s", at.text, fmt.Sprintf(format, args...))
	w.faults = append(w.faults, fault.Fault{Code: code, Path: path, Text: text})
}

// null records a value without a type.
func (w *walk) null(at place) {
	w.faults = append(w.faults, fault.Fault{Code: fault.BadValue, Path: at.path, Text: fault.Words("%s", nullIn(at))})
}

func nullIn(at place) string { return fmt.Sprintf(`unknown object type "nil" in %s`, at.text) }

// value holds one value against its model.
func (w *walk) value(at place, value any, m *Model) {
	var actual string
	switch v := value.(type) {
	case tree.Object:
		w.object(at, v, m)
		return
	case []any:
		w.list(at, v, m)
		return
	case nil:
		w.null(at)
		return
	case string:
		actual = "string"
	case bool:
		actual = "boolean"
	case float64:
		actual = "number"
	default:
		actual = "integer"
	}
	if m.form != arbitrary && (m.form != primitive || !takes(m.typ, actual)) {
		w.wrongType(at, m, actual)
	}
}

// takes tells whether a value of a primitive type passes for another: a text may
// be anything (primitiveItem.VisitPrimitive).
func takes(expected, actual string) bool {
	isNumber := actual == "integer" || actual == "number"
	return expected == "string" || expected == actual || isNumber && (expected == "integer" || expected == "number")
}

func (w *walk) wrongType(at place, m *Model, actual string) {
	expected := m.typ
	switch m.form {
	case list:
		expected = "array"
	case object, mapping:
		expected = "map"
	}
	w.invalid(fault.BadValue, at, at.path, "invalid type for %s: got %q, expected %q", m.path, actual, expected)
}

func (w *walk) object(at place, value tree.Object, m *Model) {
	switch m.form {
	case arbitrary:
	case mapping:
		for _, key := range tree.Keys(value) {
			w.value(at.field(key), value[key], m.elem())
		}
	case object:
		w.fields(at, value, m)
	default:
		w.wrongType(at, m, "map")
	}
}

func (w *walk) fields(at place, value tree.Object, m *Model) {
	for _, key := range tree.Keys(value) {
		if value[key] == nil {
			continue
		}
		field := m.field(key)
		if field == nil {
			// The fault is one of the value, so kubectl names that as the place.
			w.invalid(fault.UnknownField, at, at.field(key).path, "unknown field %q in %s", key, m.path)
			continue
		}
		w.value(at.field(key), value[key], field)
	}
	for _, key := range m.required {
		if value[key] == nil {
			w.invalid(fault.Invalid, at, at.path, "missing required field %q in %s", key, m.path)
		}
	}
}

func (w *walk) list(at place, value []any, m *Model) {
	switch m.form {
	case arbitrary:
	case list:
		for i, item := range value {
			if here := at.item(i); item == nil {
				w.invalid(fault.BadValue, at, here.path, "%s", nullIn(here))
			} else {
				w.value(here, item, m.elem())
			}
		}
	default:
		w.wrongType(at, m, "array")
	}
}
