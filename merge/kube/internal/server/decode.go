package server

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/format"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// decoding reads a tree into a built-in type as Go would and writes it out
// again: known fields only, zero values left out or printed as the json tags
// say, quantities and times in canonical form.
//
// A create is decoded by encoding/json, a patched object by apimachinery's
// unstructured converter; they word their errors and order their findings
// differently (sigs.k8s.io/json, apimachinery pkg/runtime/converter.go).
type decoding struct {
	minor   int
	create  bool
	tracks  bool // where it is, which findings tell
	path    []step
	within  []*schema.Type    // the structs being decoded, innermost last
	unknown []fault.Fault     // the fields that the type does not have
	err     error             // the first value of the wrong type, a *badValue
	fatal   bool              // err ends decoding
	inOrder bool              // look for findings only, in their order
	stored  bool              // as read back from storage
	printed bool              // as encoding prints it
	asJSON  bool              // which holds JSON
	owned   bool              // no one else has the object: decode it in place
	sent    bool              // keep how lists are written that are compared as one piece
	piece   bool              // the value at hand is in what is owned as one piece
	listed  bool              // and there in a list
	wants   *schema.Type      // of the value at hand
	literal bool              // no text is a placeholder
	filled  *[]fieldpath.Path // where placeholders stand for more than text; nil: not asked
	all     *[]fault.Fault    // all values of the wrong type, instead of err; nil: the first only
}

// step is one step of the way to a value.
type step struct {
	into  schema.Form // Struct, Map or List
	key   string
	index int
}

func (d *decoding) push(s step) {
	if d.tracks {
		d.path = append(d.path, s)
	}
}

func (d *decoding) pop() {
	if d.tracks {
		d.path = d.path[:len(d.path)-1]
	}
}

// text prints the path to a key of the struct at hand as strict decoding does:
// the JSON decoder names map keys on the way, the converter does not.
func (d *decoding) text(key string) string {
	var b strings.Builder
	for _, s := range append(d.path, step{into: schema.Struct, key: key}) {
		switch {
		case s.into == schema.List:
			fmt.Fprintf(&b, "[%d]", s.index)
		case s.into == schema.Struct || d.create:
			b.WriteString("." + s.key)
		}
	}
	return strings.TrimPrefix(b.String(), ".")
}

// here is where decoding is.
func (d *decoding) here() fieldpath.Path {
	p := make(fieldpath.Path, 0, len(d.path)+1)
	for _, s := range d.path {
		if s.into == schema.List {
			p = append(p, fieldpath.Step{Index: s.index, IsIndex: true})
		} else {
			p = append(p, fieldpath.Step{Field: s.key})
		}
	}
	return p
}

// decode returns obj, which is not changed, as the server holds it, the unknown
// fields it dropped, in the order in which the server lists them, and the error
// that ends the request if a value is of the wrong type; see faultOf.
func (b builtin) decode(obj tree.Object, minor int, create bool) (tree.Object, []fault.Fault, error) {
	return b.decodeAs(obj, decoding{minor: minor, create: create})
}

// decode is that of a kind for what a request brings.
func (s *Server) decode(b builtin, obj tree.Object, create bool) (tree.Object, []fault.Fault, error) {
	return b.decodeAs(obj, decoding{minor: s.Minor, create: create, literal: s.Literal})
}

func (b builtin) decodeAs(obj tree.Object, d decoding) (tree.Object, []fault.Fault, error) {
	t, create, located := b.typ, d.create, d
	out := d.object(obj, t)
	if d.err != nil || len(d.unknown) > 0 {
		// Only findings need a place and an order.
		located.tracks, located.inOrder = true, create || d.err != nil
		d = located
		d.object(obj, t)
	}
	if !create {
		sort.Slice(d.unknown, func(i, j int) bool {
			return strconv.Quote(d.unknown[i].Field) < strconv.Quote(d.unknown[j].Field)
		})
	}
	if d.err == nil && b.row.convertible != nil {
		if err := b.row.convertible(out); err != nil {
			d.err = inconvertible{err}
		}
	}
	return out, d.unknown, d.err
}

// inconvertible is the error of an object that decodes and has no internal version.
type inconvertible struct{ error }

// Unwrap returns the error with its text.
func (e inconvertible) Unwrap() error { return e.error }

// stop reports whether decoding is over: the converter ends at the first error,
// a JSON decoder where a Go type cannot read its JSON.
func (d *decoding) stop() bool { return d.err != nil && !d.create || d.fatal }

func (d *decoding) object(m tree.Object, t *schema.Type) tree.Object {
	if !d.tracks {
		return d.fields(m, t)
	}
	d.within = append(d.within, t)
	out := d.fields(m, t)
	d.within = d.within[:len(d.within)-1]
	return out
}

func (d *decoding) fields(m tree.Object, t *schema.Type) tree.Object {
	if d.inOrder {
		d.fieldsInOrder(m, t)
		return tree.Object{}
	}
	out := m
	if !d.owned || m == nil {
		out = tree.Shallow(m)
	}
	// An object has few of the fields that its type has.
	for key, v := range m {
		f := t.Field(key)
		if !d.known(f, key) {
			delete(out, key)
			continue
		}
		d.push(step{into: schema.Struct, key: key})
		x, emit := d.field(v, f)
		switch {
		case !emit:
			delete(out, key)
		case !d.same(v, x):
			out[key] = x
		}
		d.pop()
		if d.stop() {
			return out
		}
	}
	for _, f := range t.Printed {
		if d.leftOut(f) || !f.In(d.minor) {
			continue
		}
		if _, ok := out[f.Name]; !ok {
			out[f.Name] = d.unset(f)
		}
	}
	return out
}

// same reports whether what a value was decoded to is what it was, which in place may be
// so for what has parts.
func (d *decoding) same(was, is any) bool {
	switch is := is.(type) {
	case map[string]any:
		_, ok := was.(map[string]any)
		return d.owned && ok
	case []any:
		l, ok := was.([]any)
		return d.owned && ok && len(l) == len(is)
	}
	return was == is
}

// fieldsInOrder decodes the fields for their findings only: a JSON decoder
// meets them in the order of the text, which kubectl sorts, the converter goes
// by the type.
func (d *decoding) fieldsInOrder(m tree.Object, t *schema.Type) {
	var order []string
	if d.create {
		order = slices.Sorted(maps.Keys(m))
	} else {
		for _, f := range t.Fields {
			if _, ok := m[f.Name]; ok {
				order = append(order, f.Name)
			}
		}
	}
	for _, key := range order {
		f := t.Field(key)
		if !d.known(f, key) {
			continue
		}
		d.push(step{into: schema.Struct, key: key})
		d.field(m[key], f)
		d.pop()
		if d.stop() {
			return
		}
	}
}

// known notes a key for which the type has no field.
func (d *decoding) known(f *schema.Field, key string) bool {
	if f == nil || !f.In(d.minor) {
		unknown := fault.Unknown(d.here().Child(key), d.text(key))
		if d.create { // sigs.k8s.io/json quotes the path
			unknown.Text = fault.Words("unknown field %q", unknown.Field)
		}
		d.unknown = append(d.unknown, unknown)
		return false
	}
	return true
}

// field decodes the value of a field, and reports whether encoding prints it.
func (d *decoding) field(v any, f *schema.Field) (any, bool) {
	var x any
	if v != nil {
		var ok bool
		piece := d.piece
		d.piece = d.sent && (piece || f.OnePiece())
		x, ok = d.value(v, f.Type)
		if d.piece = piece; !ok {
			return nil, false
		}
	}
	if x == nil {
		if d.leftOut(f) {
			return nil, false
		}
		return d.unset(f), true
	}
	if !f.Pointer && isCollection(f.Type.Form) && tree.Empty(x) {
		// Defaulting and validation tell an empty list from none; whoever reads
		// the object back from storage does not.
		if !d.stored {
			return x, !d.printed || !f.OmitEmpty || d.listed
		}
		if !f.OmitEmpty {
			return d.emptied(x, f.Type), true
		}
	}
	omit := f.OmitEmpty && !f.Pointer && f.Type.Form != schema.Struct && f.Type.Form != schema.Any && f.Type.Form != schema.IntOrString && tree.Empty(x)
	return x, !omit
}

// value decodes a value that is not null; ok is false if it is of the wrong type.
func (d *decoding) value(v any, t *schema.Type) (any, bool) {
	d.wants = t
	if text, ok := v.(string); ok && d.opaque(text, t) {
		return v, true
	}
	switch t.Form {
	case schema.Struct:
		if m, ok := v.(map[string]any); ok {
			return d.object(m, t), true
		}
		return nil, d.wrong(v, t)
	case schema.Map:
		if m, ok := v.(map[string]any); ok {
			return d.mapOf(m, t), true
		}
		return nil, d.wrong(v, t)
	case schema.List:
		if l, ok := v.([]any); ok {
			return d.list(l, t), true
		}
		return nil, d.wrong(v, t)
	case schema.SchemaOrBool, schema.SchemaOrArray, schema.SchemaOrStrings:
		return d.schemaUnion(v, t)
	case schema.Any:
		return v, true // shared: nothing below is ever changed
	}
	x, ok := d.scalar(v, t)
	if d.listed && t.Form == schema.Quantity && ok {
		return format.SameInGo(quantityText(v)), true
	}
	return x, ok
}

func (d *decoding) mapOf(m tree.Object, t *schema.Type) any {
	out := m
	if !d.owned {
		out = tree.Shallow(m)
	}
	if !d.inOrder {
		for k, v := range m {
			if d.mapEntry(out, k, v, t); d.stop() {
				break
			}
		}
		return out
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if d.mapEntry(out, k, m[k], t); d.stop() {
			break
		}
	}
	return out
}

func (d *decoding) mapEntry(out tree.Object, key string, v any, t *schema.Type) {
	d.push(step{into: schema.Map, key: key})
	x, ok := d.element(v, t)
	d.pop()
	if !ok {
		return
	}
	if x = d.entry(x, t.Elem); !d.same(v, x) {
		out[key] = x
	}
}

// entry is the value of a map's entry; protobuf, which holds each as a message
// or as bytes, returns it empty where it was null.
func (d *decoding) entry(x any, t *schema.Type) any {
	switch {
	case x != nil || !d.stored || d.asJSON:
	case t.Form == schema.List:
		return []any{}
	case t.Form == schema.Bytes:
		return ""
	}
	return x
}

func (d *decoding) list(l []any, t *schema.Type) any {
	listed := d.listed
	d.listed = d.piece
	defer func() { d.listed = listed }()
	out := l[:0]
	if !d.owned {
		out = make([]any, 0, len(l))
	}
	for i, v := range l {
		d.push(step{into: schema.List, index: i})
		x, ok := d.element(v, t)
		d.pop()
		if ok {
			out = append(out, x)
		}
		if d.stop() {
			break
		}
	}
	return out
}

// element decodes an element of a list or map; null is its zero value.
func (d *decoding) element(v any, t *schema.Type) (any, bool) {
	if v != nil {
		return d.value(v, t.Elem)
	}
	if t.ElemPointer {
		return nil, true
	}
	if t.Elem.Form == schema.Struct {
		return d.object(nil, t.Elem), true
	}
	return zero(t.Elem), true
}
