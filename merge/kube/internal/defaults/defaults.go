// Package defaults fills in what the API server fills in when it decodes an
// object of a built-in kind: on create, on the result of every patch, and on
// reading from storage.
//
// Most defaults are rows of a table: a type, a field, a value. The few that
// depend on something are functions of one type's object. Both stand beside
// the name of the upstream function they follow, so that they can be compared
// line by line with pkg/apis/*/v1/defaults.go of Kubernetes.
package defaults

import (
	"maps"
	"strings"
	"sync"

	kjson "sigs.k8s.io/json"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/schema"
	"threeway/merge/memo"
	"threeway/merge/tree"
)

// row is an unconditional default: where the field of the type is unset, it
// gets the value. Rows apply in order. A dotted field descends into structs,
// which must exist (non-pointer structs always do).
type row struct {
	typ, field string
	value      any
}

// of is the value of a row that some minors have: of{&minors.DriverScheduling, false}.
type of struct {
	in    *minors.Change
	value any
}

// rule is a default that depends on the object; minor is the simulated server's.
type rule func(obj tree.Object, minor int)

// Apply sets the defaults on obj, a decoded object of type t, in place. Like
// the generated code upstream it visits parents before children. minor is the
// minor version of the simulated server.
func Apply(obj tree.Object, t *schema.Type, minor int) {
	walk(obj, t, minor)
}

func walk(v any, t *schema.Type, minor int) {
	switch v := v.(type) {
	case map[string]any:
		if t.Form == schema.Struct {
			object(v, t, minor)
		} else if t.Form == schema.Map {
			if t.Go == "v1.ResourceList" {
				roundUp(v)
			}
			for _, x := range v {
				walk(x, t.Elem, minor)
			}
		}
	case []any:
		if t.Form == schema.List {
			for _, x := range v {
				walk(x, t.Elem, minor)
			}
		}
	}
}

func object(m tree.Object, t *schema.Type, minor int) {
	if t.Name == "meta/v1.ObjectMeta" || t.Name == "node/v1.Overhead" {
		return // no defaults, not even of resource lists
	}
	own := ofType(t)
	for _, d := range own.first {
		d.set(m, minor)
	}
	if own.rule != nil {
		own.rule(m, minor)
	}
	for _, d := range own.marked {
		d.set(m, minor)
	}
	for key, x := range m {
		switch x.(type) {
		case map[string]any, []any:
			if f := t.Field(key); f != nil {
				walk(x, f.Type, minor)
			}
		}
	}
}

// value is what a field gets if it has none: if it is a pointer none is null,
// else Go's zero value.
type value struct {
	within []string // the structs from the object to that of the field
	field  *schema.Field
	value  any
}

func (d *value) set(m tree.Object, minor int) {
	is := d.value
	if of, bound := is.(of); bound {
		is = of.value
		if !of.in.In(minor) {
			return
		}
	}
	if !d.field.In(minor) {
		return
	}
	for _, name := range d.within {
		next, ok := m[name].(map[string]any)
		if !ok {
			return
		}
		m = next
	}
	if have := m[d.field.Name]; have == nil || !d.field.Pointer && tree.Empty(have) {
		m[d.field.Name] = tree.Copy(is)
	}
}

// markerValue is the value of a +default marker, which is JSON.
func markerValue(text string) (v any) {
	if err := kjson.UnmarshalCaseSensitivePreserveInts([]byte(text), &v); err != nil {
		panic("the tables have a default that is no JSON: " + text)
	}
	return v
}

// typeDefaults is all that is set on one type: rows of the table, then what the
// rule does, then what the type's own markers say.
type typeDefaults struct {
	first  []value
	rule   rule
	marked []value
}

// byType holds the defaults of the types that a run has met, which are a few
// of all.
var byType memo.Table[*schema.Type, *typeDefaults]

func ofType(t *schema.Type) *typeDefaults {
	return byType.Get(t, func() *typeDefaults { return newTypeDefaults(t) })
}

func newTypeDefaults(t *schema.Type) *typeDefaults {
	own := &typeDefaults{rule: rules()[t.Name]}
	for _, r := range rows()[t.Name] {
		if f, within := find(t, strings.Split(r.field, ".")); f != nil {
			own.first = append(own.first, value{within, f, r.value})
		}
	}
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Default != "" {
			own.marked = append(own.marked, value{nil, f, markerValue(f.Default)})
		}
	}
	return own
}

// find returns the field at a path, nil if there is none, and the path to it.
func find(t *schema.Type, path []string) (f *schema.Field, within []string) {
	for i, name := range path {
		if f = t.Field(name); f == nil {
			return nil, nil
		}
		t, within = f.Type, path[:i]
	}
	return f, within
}

var rows = sync.OnceValue(func() map[string][]row {
	byType := map[string][]row{}
	for _, table := range [][]row{coreRows, workloadRows, clusterRows} {
		for _, r := range table {
			byType[r.typ] = append(byType[r.typ], r)
			if name, ok := strings.CutPrefix(r.typ, "flowcontrol/v1."); ok { // beta, and served by default until 1.31
				byType["flowcontrol/v1beta3."+name] = append(byType["flowcontrol/v1beta3."+name], r)
			}
		}
	}
	return byType
})

var rules = sync.OnceValue(func() map[string]rule {
	byType := map[string]rule{}
	for _, list := range []map[string]rule{coreRules(), workloadRules(), clusterRules()} {
		maps.Copy(byType, list)
	}
	return byType
})
