package custom

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"threeway/merge/tree"
)

// readMeta decodes metadata as the server's ObjectMeta and encodes it again,
// which drops unknown and empty fields. It returns the paths of the unknown
// ones. managedFields pass as they are
// (pkg/apiserver/schema/objectmeta/coerce.go).
func readMeta(v any) (tree.Object, []string, error) {
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
	var unknown []string
	for _, e := range strict {
		if e, ok := e.(kjson.FieldError); ok {
			unknown = append(unknown, e.FieldPath())
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

// coerce brings the metadata of the resources embedded in obj into its Go
// type's form and returns the sorted paths of fields it does not have
// (pkg/apiserver/schema/objectmeta/algorithm.go).
func coerce(obj tree.Object, s schema) ([]string, error) {
	var paths []string
	if err := coerceValue(nil, obj, s, &paths); err != nil {
		return nil, err
	}
	slices.Sort(paths)
	return paths, nil
}

func coerceValue(path *field.Path, x any, s schema, paths *[]string) *field.Error {
	if s == nil {
		return nil
	}
	switch x := x.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(x)) {
			if s.isResource() {
				if err := coerceMeta(path, x, name, paths); err != nil {
					return err
				}
			}
			sub, how := s.field(name)
			if err := coerceValue(step(path, name, how), x[name], sub, paths); err != nil {
				return err
			}
		}
	case []any:
		for i, v := range x {
			if err := coerceValue(path.Index(i), v, s.items(), paths); err != nil {
				return err
			}
		}
	}
	return nil
}

// coerceMeta looks after the field name of an embedded resource.
func coerceMeta(path *field.Path, resource tree.Object, name string, paths *[]string) *field.Error {
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
		for _, p := range unknown {
			*paths = append(*paths, path.Child(name).String()+"."+p)
		}
		resource[name] = meta
	}
	return nil
}
