package server

import (
	"errors"

	"threeway/merge/fault"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// schemaUnion decodes the fields of a JSON schema that take a schema or
// something simpler. Their Go types read their JSON themselves, and ignore
// fields that a schema does not have (apiextensions/v1/marshal.go).
func (d *decoding) schemaUnion(v any, t *schema.Type) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		return d.apart(v, t.Elem)
	case []any:
		switch {
		case t.Form == schema.SchemaOrBool:
		case len(v) == 0 && d.stored:
			return nil, true
		case t.Form == schema.SchemaOrArray:
			return d.apart(v, &schema.Type{Form: schema.List, Elem: t.Elem})
		default:
			return d.apart(v, &schema.Type{Form: schema.List, Elem: &schema.Type{Form: schema.String, Go: "string"}})
		}
	case bool:
		if t.Form == schema.SchemaOrBool {
			return v, true
		}
	}
	if t.Form == schema.SchemaOrBool {
		return nil, d.failFinally(fault.Errorf("boolean or JSON schema expected"))
	}
	if d.stored {
		return nil, true // neither is set, which prints as null
	}
	return tree.Copy(v), true
}

// apart decodes JSON by a decoder of its own.
func (d *decoding) apart(v any, t *schema.Type) (any, bool) {
	inner := decoding{minor: d.minor, create: true, tracks: d.tracks, inOrder: d.inOrder, stored: d.stored, asJSON: d.asJSON, owned: d.owned}
	out, ok := inner.value(v, t)
	if inner.err == nil {
		return out, ok
	}
	var m *mismatch
	if b := (*badValue)(nil); errors.As(inner.err, &b) && errors.As(inner.err, &m) && d.create {
		inner.err = &badValue{b.path, d.located(*m)}
	}
	return nil, d.failFinally(inner.err)
}
