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
	"strings"
	"sync"

	"threeway/merge/schema"
	"threeway/merge/tree"
)

// row is an unconditional default: where the field of the type is unset, it
// gets the value. Rows apply in order. A dotted field descends into structs,
// which must exist (non-pointer structs always do).
type row struct {
	typ, field string
	value      any
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
	if own := ofType(t.Name); own != nil {
		for _, r := range own.rows {
			set(m, t, strings.Split(r.field, "."), r.value)
		}
		if own.rule != nil {
			own.rule(m, minor)
		}
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Default != "" {
			set(m, t, []string{f.Name}, markerValue(f.Default))
		}
		switch f.Type.Form {
		case schema.Struct, schema.List, schema.Map:
			if x, ok := m[f.Name]; ok {
				walk(x, f.Type, minor)
			}
		}
	}
}

// set gives the field at the path of m a value if it has none: for a pointer
// null, else Go's zero value.
func set(m tree.Object, t *schema.Type, path []string, value any) {
	for _, name := range path[:len(path)-1] {
		f := t.Field(name)
		next, ok := m[name].(map[string]any)
		if f == nil || !ok {
			return
		}
		m, t = next, f.Type
	}
	name := path[len(path)-1]
	f := t.Field(name)
	if f == nil {
		return
	}
	if have := m[name]; have == nil || !f.Pointer && tree.Empty(have) {
		m[name] = tree.Copy(value)
	}
}

// markerValue is the value of a +default marker, a JSON scalar.
func markerValue(text string) any {
	switch text {
	case "true":
		return true
	case "false":
		return false
	}
	if s, ok := strings.CutPrefix(text, `"`); ok {
		return strings.TrimSuffix(s, `"`)
	}
	n := int64(0)
	for _, c := range text {
		n = n*10 + int64(c-'0')
	}
	return n
}

// typeDefaults is all that is set on one type.
type typeDefaults struct {
	rows []row
	rule rule
}

var index = sync.OnceValue(func() map[string]*typeDefaults {
	byType := map[string]*typeDefaults{}
	at := func(typ string) *typeDefaults {
		if byType[typ] == nil {
			byType[typ] = &typeDefaults{}
		}
		return byType[typ]
	}
	for _, table := range [][]row{coreRows, workloadRows, clusterRows} {
		for _, r := range table {
			d := at(r.typ)
			d.rows = append(d.rows, r)
		}
	}
	for _, rules := range []map[string]rule{coreRules(), workloadRules(), clusterRules()} {
		for typ, r := range rules {
			at(typ).rule = r
		}
	}
	return byType
})

func ofType(name string) *typeDefaults { return index()[name] }
