package conformance

import (
	"reflect"
	"strings"
	"testing"

	"threeway/merge/kube/schema"
)

// TestTags holds the tables of merge/kube/schema to the struct tags of the Go
// types: every field of every struct that a kind reaches.
func TestTags(t *testing.T) {
	c := tags{t: t, seen: map[reflect.Type]bool{}}
	for _, k := range kinds() {
		c.compare(k.golang, k.ours, k.String())
	}
	t.Logf("%d fields of %d structs", c.fields, len(c.seen))
	if c.fields < 1500 {
		t.Error("too few fields: the walk ends early")
	}
}

type tags struct {
	t      *testing.T
	seen   map[reflect.Type]bool
	fields int
}

// compare walks both sides of a type.
func (c *tags) compare(golang reflect.Type, ours *schema.Type, path string) {
	if golang.Kind() == reflect.Pointer {
		golang = golang.Elem()
	}
	if ours == nil {
		c.t.Errorf("%s: no type for Go's %v", path, golang)
		return
	}
	if ours.Go != golang.String() {
		c.t.Errorf("%s: type %s, want %v", path, ours.Go, golang)
	}
	switch ours.Form {
	case schema.Map:
		c.compare(golang.Elem(), ours.Elem, path+"{}")
	case schema.List:
		if pointer := golang.Elem().Kind() == reflect.Pointer; pointer != ours.ElemPointer {
			c.t.Errorf("%s: elements are pointers %t, want %t", path, ours.ElemPointer, pointer)
		}
		c.compare(golang.Elem(), ours.Elem, path+"[]")
	case schema.Struct:
		if golang.Kind() != reflect.Struct {
			c.t.Errorf("%s: a struct, want %v", path, golang.Kind())
		} else if !c.seen[golang] {
			c.seen[golang] = true
			c.compareFields(golang, ours, path)
		}
	}
}

func (c *tags) compareFields(golang reflect.Type, ours *schema.Type, path string) {
	want := flattened(golang)
	for i := range ours.Fields {
		f := &ours.Fields[i]
		if _, ok := want[f.Name]; !ok && f.In(minor) {
			c.t.Errorf("%s.%s: Go has no such field", path, f.Name)
		}
	}
	for name, w := range want {
		c.fields++
		at := path + "." + name
		f := ours.Field(name)
		if f == nil || !f.In(minor) {
			c.t.Errorf("%s: missing", at)
			continue
		}
		strategy := "," + w.Tag.Get("patchStrategy") + ","
		_, options, _ := strings.Cut(w.Tag.Get("json"), ",")
		options = "," + options + ","
		for _, fact := range []struct {
			what       string
			have, want any
		}{
			{"Go name", f.Go, w.Name},
			{"pointer", f.Pointer, w.Type.Kind() == reflect.Pointer},
			{"omitempty", f.OmitEmpty, strings.Contains(options, ",omitempty,")},
			{"omitzero", f.OmitZero, strings.Contains(options, ",omitzero,")},
			{"merge", f.Merge, strings.Contains(strategy, ",merge,")},
			{"retainKeys", f.RetainKeys, strings.Contains(strategy, ",retainKeys,")},
			{"replace", f.Replace, strings.Contains(strategy, ",replace,")},
			{"merge key", f.MergeKey, w.Tag.Get("patchMergeKey")},
		} {
			if fact.have != fact.want {
				c.t.Errorf("%s: %s %v, want %v", at, fact.what, fact.have, fact.want)
			}
		}
		c.compare(w.Type, f.Type, at)
	}
}

// flattened lists the fields of a struct, embedded ones included, by JSON name.
func flattened(golang reflect.Type) map[string]reflect.StructField {
	all := map[string]reflect.StructField{}
	for i := range golang.NumField() {
		f := golang.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case !f.IsExported() || name == "-":
		case f.Anonymous && name == "":
			embedded := f.Type
			if embedded.Kind() == reflect.Pointer {
				embedded = embedded.Elem()
			}
			for name, f := range flattened(embedded) {
				all[name] = f
			}
		case name == "":
			all[f.Name] = f
		default:
			all[name] = f
		}
	}
	return all
}
