package custom

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// readMeta decodes metadata as the server's ObjectMeta and encodes it again,
// which drops unknown and empty fields. It returns the unknown ones, with paths
// in the metadata. managedFields pass as they are
// (pkg/apiserver/schema/objectmeta/coerce.go).
func readMeta(v any) (tree.Object, []fault.Fault, error) {
	// The names and types appear in the errors of decoding.
	type OwnerReference struct {
		APIVersion         string `json:"apiVersion"`
		Kind               string `json:"kind"`
		Name               string `json:"name"`
		UID                string `json:"uid"`
		Controller         *bool  `json:"controller,omitempty"`
		BlockOwnerDeletion *bool  `json:"blockOwnerDeletion,omitempty"`
	}
	type ObjectMeta struct {
		Name                       string            `json:"name,omitempty"`
		GenerateName               string            `json:"generateName,omitempty"`
		Namespace                  string            `json:"namespace,omitempty"`
		SelfLink                   string            `json:"selfLink,omitempty"`
		UID                        string            `json:"uid,omitempty"`
		ResourceVersion            string            `json:"resourceVersion,omitempty"`
		Generation                 int64             `json:"generation,omitempty"`
		CreationTimestamp          timestamp         `json:"creationTimestamp,omitzero"`
		DeletionTimestamp          *timestamp        `json:"deletionTimestamp,omitempty"`
		DeletionGracePeriodSeconds *int64            `json:"deletionGracePeriodSeconds,omitempty"`
		Labels                     map[string]string `json:"labels,omitempty"`
		Annotations                map[string]string `json:"annotations,omitempty"`
		OwnerReferences            []OwnerReference  `json:"ownerReferences,omitempty"`
		Finalizers                 []string          `json:"finalizers,omitempty"`
	}
	if m, ok := v.(map[string]any); ok && isPlain(m) {
		return ownMeta(m), nil, nil
	}
	var managed any
	if m, ok := v.(map[string]any); ok && m["managedFields"] != nil {
		m = maps.Clone(m)
		managed = m["managedFields"]
		delete(m, "managedFields")
		v = m
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil, nil, err
	}
	var meta ObjectMeta
	strict, err := kjson.UnmarshalStrict(text, &meta)
	if err != nil {
		return nil, nil, errors.New(strings.ReplaceAll(err.Error(), "custom.", "v1."))
	}
	var unknown []fault.Fault
	for _, e := range strict {
		if e, ok := e.(kjson.FieldError); ok {
			path := fieldpath.ParseIn(e.FieldPath(), v)
			unknown = append(unknown, fault.Unknown(path, e.FieldPath()))
		}
	}
	if text, err = json.Marshal(meta); err != nil {
		return nil, nil, err
	}
	obj := tree.Object{}
	err = kjson.UnmarshalCaseSensitivePreserveInts(text, &obj)
	if managed != nil {
		obj["managedFields"] = managed
	}
	return obj, unknown, err
}

// isPlain reports whether metadata are as the server writes them, with nothing but what
// most objects have.
func isPlain(m tree.Object) bool {
	dated := false
	for key, v := range m {
		switch key {
		case "name", "namespace", "uid", "resourceVersion":
			if !isText(v) || v == "" {
				return false
			}
		case "generation":
			if n, ok := v.(int64); !ok || n == 0 {
				return false
			}
		case "creationTimestamp":
			text, _ := v.(string)
			t, err := time.Parse(time.RFC3339, text)
			if dated = err == nil && !t.IsZero() && t.UTC().Format(time.RFC3339) == text; !dated {
				return false
			}
		case "labels", "annotations":
			values, _ := v.(tree.Object)
			for name, x := range values {
				if !isText(name) || !isText(x) {
					return false
				}
			}
			if len(values) == 0 {
				return false
			}
		case "managedFields":
			if v == nil {
				return false
			}
		default:
			return false
		}
	}
	return dated
}

// isText reports whether a value is a string that JSON can hold.
func isText(v any) bool {
	text, ok := v.(string)
	return ok && utf8.ValidString(text)
}

// own is a copy of an object that may be changed, but for what managers own, which is not.
func own(obj tree.Object) tree.Object {
	c := make(tree.Object, len(obj))
	for key, v := range obj {
		if m, ok := v.(tree.Object); ok && key == "metadata" {
			c[key] = ownMeta(m)
		} else {
			c[key] = tree.Copy(v)
		}
	}
	return c
}

func ownMeta(m tree.Object) tree.Object {
	c := make(tree.Object, len(m))
	for key, v := range m {
		if key == "managedFields" && !tree.HasNulls(v) { // nulls are dropped
			c[key] = v
		} else {
			c[key] = tree.Copy(v)
		}
	}
	return c
}

// timestamp is a time as metadata holds it: RFC 3339, in seconds and UTC
// (metav1.Time).
type timestamp struct{ time.Time }

// UnmarshalJSON reads a quoted RFC 3339 time; null is the zero time.
func (t *timestamp) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*t = timestamp{}
		return nil
	}
	var s string
	err := json.Unmarshal(text, &s)
	if err == nil {
		t.Time, err = time.Parse(time.RFC3339, s)
	}
	return err
}

// MarshalJSON writes what UnmarshalJSON reads.
func (t timestamp) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return json.Marshal(t.UTC().Format(time.RFC3339))
}

// unknownIn are unknown fields of a value, as fields of what it is in: path is
// where, and field how the server writes that.
func unknownIn(path fieldpath.Path, field string, unknown []fault.Fault) []fault.Fault {
	for i, f := range unknown {
		unknown[i] = fault.Unknown(path.Join(f.Path), field+"."+f.Field)
	}
	return unknown
}

// coerce brings the metadata of the resources embedded in obj into its Go
// type's form and returns the fields it does not have, sorted by path
// (pkg/apiserver/schema/objectmeta/algorithm.go).
func coerce(obj tree.Object, s schema) ([]fault.Fault, *field.Error) {
	c := coercion{root: obj}
	if err := c.value(nil, obj, s); err != nil {
		return nil, err
	}
	slices.SortFunc(c.unknown, func(a, b fault.Fault) int { return strings.Compare(a.Field, b.Field) })
	return c.unknown, nil
}

type coercion struct {
	root    tree.Object
	unknown []fault.Fault
}

func (c *coercion) value(path *field.Path, x any, s schema) *field.Error {
	if s == nil {
		return nil
	}
	switch x := x.(type) {
	case map[string]any:
		for _, name := range tree.Keys(x) {
			if s.isResource() {
				if err := c.meta(path, x, name); err != nil {
					return err
				}
			}
			sub, how := s.field(name)
			if err := c.value(step(path, name, how), x[name], sub); err != nil {
				return err
			}
		}
	case []any:
		for i, v := range x {
			if err := c.value(path.Index(i), v, s.items()); err != nil {
				return err
			}
		}
	}
	return nil
}

// meta looks after the field name of an embedded resource.
func (c *coercion) meta(path *field.Path, resource tree.Object, name string) *field.Error {
	v := resource[name]
	switch name {
	case "apiVersion", "kind":
		if _, ok := v.(string); !ok {
			return field.Invalid(path.Child(name), v, "must be a string")
		}
	case "metadata":
		meta, unknown, err := readMeta(v)
		if err != nil {
			return field.Invalid(path.Child(name), v, err.Error())
		}
		at := path.Child(name).String()
		p := fieldpath.ParseIn(at, c.root)
		c.unknown = append(c.unknown, unknownIn(p, at, unknown)...)
		resource[name] = meta
	}
	return nil
}
