package manifest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// shape is a Go type that metadata must decode into, with its name as Go's
// JSON decoder prints it.
type shape struct {
	goType string
	form   form
	elem   *shape            // of lists and mappings
	name   string            // of a struct, in messages about its fields
	fields map[string]*shape // of a struct
}

type form uint8

const (
	text form = iota
	integer
	boolean
	timestamp
	list
	mapping
	structure
	anything
)

// objectShape is what the metadata of every object must decode into: metav1's
// ObjectMeta (k8s.io/apimachinery/pkg/apis/meta/v1/types.go).
var objectShape = sync.OnceValue(func() *shape {
	str := &shape{goType: "string"}
	uid := &shape{goType: "types.UID"}
	num := &shape{goType: "int64", form: integer}
	flag := &shape{goType: "bool", form: boolean}
	when := &shape{goType: "string", form: timestamp}
	pairs := &shape{goType: "map[string]string", form: mapping, elem: str}
	owner := &shape{goType: "v1.OwnerReference", form: structure, name: "OwnerReference", fields: map[string]*shape{
		"apiVersion": str, "kind": str, "name": str, "uid": uid, "controller": flag, "blockOwnerDeletion": flag,
	}}
	entry := &shape{goType: "v1.ManagedFieldsEntry", form: structure, name: "ManagedFieldsEntry", fields: map[string]*shape{
		"manager": str, "operation": {goType: "v1.ManagedFieldsOperationType"}, "apiVersion": str, "time": when,
		"fieldsType": str, "fieldsV1": {form: anything}, "subresource": str,
	}}
	meta := &shape{goType: "v1.ObjectMeta", form: structure, name: "ObjectMeta", fields: map[string]*shape{
		"name": str, "generateName": str, "namespace": str, "selfLink": str, "uid": uid, "resourceVersion": str,
		"generation": num, "creationTimestamp": when, "deletionTimestamp": when, "deletionGracePeriodSeconds": num,
		"labels": pairs, "annotations": pairs, "finalizers": {goType: "[]string", form: list, elem: str},
		"ownerReferences": {goType: "[]v1.OwnerReference", form: list, elem: owner},
		"managedFields":   {goType: "[]v1.ManagedFieldsEntry", form: list, elem: entry},
	}}
	return &shape{form: structure, name: "metadataOnlyObject", fields: map[string]*shape{"metadata": meta}}
})

// metadataError returns the error of Go's JSON decoder for metadata that does
// not decode into ObjectMeta, and the field; or "". A bad time ends the
// decoding; of several bad types, the first is reported. Fields are visited in
// the order of their names, because kubectl converts YAML to sorted JSON.
func metadataError(obj tree.Object) (words string, at fieldpath.Path) {
	if objectShape().fits(obj) {
		return "", nil
	}
	c := shapeChecker{}
	c.fields(obj, objectShape(), place{})
	return c.words, c.at
}

// fits reports whether a value decodes into the shape.
func (s *shape) fits(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case tree.Object:
		switch s.form {
		case structure:
			for name, value := range v {
				if field := s.fields[name]; field != nil && !field.fits(value) {
					return false
				}
			}
			return true
		case mapping:
			for _, value := range v {
				if !s.elem.fits(value) {
					return false
				}
			}
			return true
		}
	case []any:
		if s.form == list {
			return !slices.ContainsFunc(v, func(item any) bool { return !s.elem.fits(item) })
		}
	case string:
		if s.form == timestamp {
			_, err := time.Parse(time.RFC3339, v)
			return err == nil
		}
		return s.form == text || s.form == anything
	case bool:
		return s.form == boolean || s.form == anything
	case int64:
		return s.form == integer || s.form == anything
	}
	return s.form == anything
}

// shapeChecker finds the words for a value that does not fit.
type shapeChecker struct {
	words string
	at    fieldpath.Path
	done  bool
}

// place is the position of a value: its path, and what the decoder prints: the
// struct that contains it and the fields that lead to it.
type place struct {
	path       fieldpath.Path
	in, fields string
}

// fields checks the fields of a struct.
func (c *shapeChecker) fields(v tree.Object, s *shape, at place) {
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if field := s.fields[name]; field != nil {
			c.check(v[name], field, place{at.path.Child(name), s.name, strings.TrimPrefix(at.fields+"."+name, ".")})
		}
	}
}

// check compares the value v with its shape.
func (c *shapeChecker) check(v any, s *shape, at place) {
	if c.done || v == nil || s.form == anything {
		return
	}
	fits := false
	switch v := v.(type) {
	case tree.Object:
		switch s.form {
		case structure:
			fits = true
			c.fields(v, s, at)
		case mapping:
			fits = true
			for _, name := range slices.Sorted(maps.Keys(v)) {
				c.check(v[name], s.elem, place{at.path.Child(name), at.in, at.fields})
			}
		}
	case []any:
		if fits = s.form == list; fits {
			for i, x := range v {
				c.check(x, s.elem, place{at.path.Item(i), at.in, at.fields})
			}
		}
	case string:
		fits = s.form == text || s.form == timestamp
		if s.form == timestamp {
			c.time(v, at)
		}
	case bool:
		fits = s.form == boolean
	case int64:
		fits = s.form == integer
	}
	if !fits {
		c.mismatch(v, s, at)
	}
}

// time checks a metav1.Time.
func (c *shapeChecker) time(v string, at place) {
	if _, err := time.Parse(time.RFC3339, v); err != nil {
		c.words, c.at, c.done = err.Error(), at.path, true
	}
}

func (c *shapeChecker) mismatch(v any, s *shape, at place) {
	if c.words != "" && s.form != timestamp {
		return
	}
	got := tree.JSONType(v)
	if _, ok := v.(float64); ok && s.form == integer {
		b, _ := json.Marshal(v)
		got += " " + string(b)
	}
	c.words = fmt.Sprintf("json: cannot unmarshal %s into Go struct field %s.%s of type %s", got, at.in, at.fields, s.goType)
	c.at, c.done = at.path, s.form == timestamp
}
