package schema

import (
	"slices"
	"strings"
)

// Form is the shape of a Type's JSON.
type Form uint8

// The forms. Only a Struct, Map or List has parts with types of their own.
const (
	Struct          Form = iota // fields known
	Map                         // object with values of type Elem
	List                        // list of Elem
	String                      // string and named strings
	Bool                        //
	Int                         // int32, int64 …: Go tells the width
	Float                       //
	Bytes                       // []byte: base64 text
	Quantity                    // resource.Quantity
	IntOrString                 // intstr.IntOrString
	Time                        // metav1.Time: RFC 3339, whole seconds
	MicroTime                   // metav1.MicroTime: RFC 3339 with six decimals
	Duration                    // metav1.Duration: text
	Any                         // RawExtension, JSON, FieldsV1: any value, unchanged
	SchemaOrBool                // JSONSchemaProps, which is Elem, or a boolean
	SchemaOrArray               // Elem, or a list of it
	SchemaOrStrings             // Elem, or a list of strings
)

// Type is a type of the versioned API, or of the internal one ("internal/…").
// Types are shared and must not be changed.
type Type struct {
	Name        string   // "core/v1.PodSpec", "meta/v1.ObjectMeta"; "" for unnamed lists, maps and scalars
	Go          string   // as reflect prints it: "v1.PodSpec", "int32", "[]v1.Container"
	Form        Form     //
	Elem        *Type    // of Map, List and the Schema forms
	ElemPointer bool     // the elements are pointers: []*T
	MapType     string   // "atomic" or "": +mapType and +structType on the type
	Fields      []Field  // of Struct, in Go order, embedded ones flattened
	Printed     []*Field // those of Fields that are Printed

	names []string // names of Fields, close together in memory for Field
}

// Field is a field of a struct.
type Field struct {
	Name                       string   // JSON name
	Go                         string   // Go name
	Type                       *Type    // without the pointer
	Pointer                    bool     //
	OmitEmpty, OmitZero        bool     // options of the json tag
	Printed                    bool     // encoding prints it without a value, or did so in an older minor
	Merge, RetainKeys, Replace bool     // patchStrategy; "merge,retainKeys" sets both
	MergeKey                   string   // patchMergeKey
	ListType                   string   // +listType: "", atomic, set, map
	ListKeys                   []string // +listMapKey, of ListType map
	MapType                    string   // "atomic" or "": +mapType and +structType on the field
	Default                    string   // +default as JSON text, "" if there is none
	Embedded                   string   // Go type of the struct that has the field, if an internal type embeds that
	Gated                      bool     // a feature gate of it is off before minor On, with On 0 in all
	On                         int      //
	Window                              // of the minors that have the field

	required required
}

// Window are the minors from Since to Until, of 28 to 38; 0 is no bound.
type Window struct{ Since, Until int }

// In reports whether the minor is one of them.
func (w Window) In(minor int) bool { return minor >= w.Since && (w.Until == 0 || minor <= w.Until) }

// required tells that the OpenAPI documents of the minors require a field.
type required struct {
	is bool
	Window
}

// Keyless reports whether an item of a list lacks the merge key, without which no patch finds it.
// It is false for nil.
func (f *Field) Keyless(list []any) bool {
	return f != nil && slices.ContainsFunc(list, func(x any) bool {
		item, isMap := x.(map[string]any)
		return isMap && item[f.MergeKey] == nil
	})
}

// Field returns the field with the JSON name, or nil.
func (t *Type) Field(name string) *Field {
	for i, n := range t.names {
		if n == name {
			return &t.Fields[i]
		}
	}
	return nil
}

// Complete sets the fields of a struct that is not from the tables, because
// upstream's tests define types of their own (merge/kube/conformance/tables).
func (t *Type) Complete(fields []Field) {
	t.Fields = fields
	t.index()
}

// index sets everything that is derived from the fields.
func (t *Type) index() {
	t.names = make([]string, len(t.Fields))
	for i := range t.Fields {
		f := &t.Fields[i]
		t.names[i] = f.Name
		if f.Printed = !f.leftOut(); f.Printed {
			t.Printed = append(t.Printed, f)
		}
	}
}

// leftOut reports whether encoding never prints the field if it has no value.
// omitempty does not apply to a type that encodes itself.
func (f *Field) leftOut() bool {
	switch {
	case f.OmitZero || !f.OmitEmpty:
		return false
	case f.Pointer:
		return true
	}
	switch f.Type.Form {
	case Struct, Quantity, IntOrString:
		return false
	case Any, Time, MicroTime:
		return strings.HasPrefix(f.Type.Go, "[]")
	}
	return true
}

// DroppedBy reports whether kube-apiserver 1.minor drops the field, though its type has
// it, unless the old object uses it.
func (f *Field) DroppedBy(minor int) bool { return f.Gated && (f.On == 0 || minor < f.On) }

// Required reports whether the OpenAPI document of Kubernetes 1.minor requires the field.
func (f *Field) Required(minor int) bool {
	return f.required.is && f.required.In(minor)
}

// OnePiece reports whether who changes something in the field's list, map or struct
// owns all of it: without a list type, the patch strategy decides.
func (f *Field) OnePiece() bool {
	if f.Type.Form == List {
		return f.ListType == "atomic" || f.ListType == "" && !f.Merge
	}
	return f.MapType == "atomic" || f.Type.MapType == "atomic"
}

// TypeNamed returns a type by its full name, such as "core/v1.PodSpec", with
// all types it refers to; or nil.
func TypeNamed(name string) *Type {
	t := tables()
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.named(name)
}

// Child returns the type of a field or of the key of a map, and the field,
// which says how it merges.
func (t *Type) Child(key string) (*Type, *Field) {
	switch {
	case t != nil && t.Form == Struct:
		if f := t.Field(key); f != nil {
			return f.Type, f
		}
	case t != nil && t.Form == Map:
		return t.Elem, nil
	}
	return nil, nil
}
