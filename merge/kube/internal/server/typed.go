package server

import (
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Typed is an object as a client prints it that has read it into the Go type of its kind:
// without unknown fields and nulls, and with the structures that are never left out
// (apimachinery pkg/runtime/converter.go). known is false if it has unknown fields, ok if
// the kind has no Go type, or the object does not fit.
func Typed(obj tree.Object, k schema.Kind, minor int) (out tree.Object, known, ok bool) {
	b, ok := lookup(k)
	if !ok {
		return nil, false, false
	}
	d := decoding{minor: minor}
	out = d.object(obj, b.typ)
	if d.err != nil {
		return nil, false, false
	}
	return printed(tree.CopyObject(out), b.typ, minor), len(d.unknown) == 0, true
}

// TypedValue is Typed for a value of a type of the core group, such as PodSpec, or of
// Quantity, Duration or ResourceList.
func TypedValue(v any, name string, minor int) (any, bool) {
	quantity := &schema.Type{Form: schema.Quantity}
	t := map[string]*schema.Type{
		"Quantity": quantity, "Duration": {Form: schema.Duration}, "ResourceList": {Form: schema.Map, Elem: quantity},
	}[name]
	if t == nil && !strings.Contains(name, ".") {
		t = schema.TypeNamed("core/v1." + name)
	}
	if t == nil {
		return nil, false
	}
	d := decoding{minor: minor}
	out, ok := d.value(v, t)
	if !ok || d.err != nil {
		return nil, false
	}
	if o, is := out.(tree.Object); is && t.Form == schema.Struct {
		return printed(tree.CopyObject(o), t, minor), true
	}
	return out, true
}
