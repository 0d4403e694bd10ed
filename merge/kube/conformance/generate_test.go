package conformance

import (
	"math/rand/v2"
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// generator makes objects of a type from few names and numbers, so that they
// often meet.
type generator struct {
	*rand.Rand
	budget int // values left to make
}

func (g *generator) one(of ...string) string { return of[g.IntN(len(of))] }

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

// object makes a whole object of a kind.
func (g *generator) object(k *kind) tree.Object {
	g.budget = 20 + g.IntN(60)
	if k == custom {
		return tree.Object{"apiVersion": k.APIVersion(), "kind": k.Kind.Kind, "metadata": tree.Object{"name": "x"},
			"spec": g.anything(5), "status": g.anything(3), "a": g.anything(4), "b": g.anything(2)}
	}
	obj := g.fields(k.ours, 0)
	if obj["metadata"] == nil || g.chance(80) {
		m := g.fields(k.ours.Field("metadata").Type, 1)
		m["name"] = "x"
		obj["metadata"] = m
	}
	obj["apiVersion"], obj["kind"] = k.APIVersion(), k.Kind.Kind
	return obj
}

// fields makes a struct with some of its fields: those that merge, or lead
// on, more often than others.
func (g *generator) fields(t *schema.Type, depth int) tree.Object {
	obj := tree.Object{}
	for range 1 + g.IntN(5) {
		f := g.field(t)
		if f == nil || g.budget < 0 {
			break
		}
		if obj[f.Name] == nil {
			obj[f.Name] = g.ofField(f, depth)
		}
	}
	return obj
}

// field draws a field of a struct, nil if it has none.
func (g *generator) field(t *schema.Type) *schema.Field {
	total := 0
	for i := range t.Fields {
		total += weight(&t.Fields[i])
	}
	if total == 0 {
		return nil
	}
	n := g.IntN(total)
	for i := range t.Fields {
		if n -= weight(&t.Fields[i]); n < 0 {
			return &t.Fields[i]
		}
	}
	return nil
}

func weight(f *schema.Field) int {
	switch {
	case !f.In(minor):
		return 0
	case f.Merge || f.RetainKeys || f.Replace:
		return 8
	case f.Name == "spec" || f.Name == "template":
		return 12
	case f.Type.Form == schema.Struct || f.Type.Form == schema.List || f.Type.Form == schema.Map:
		return 2
	}
	return 1
}

// ofField makes a value of a field; the items of a list to merge get their
// keys, mostly different ones.
func (g *generator) ofField(f *schema.Field, depth int) any {
	if f.Type.Form != schema.List || f.MergeKey == "" {
		return g.value(f.Type, depth+1)
	}
	list := []any{}
	for range g.IntN(4) {
		list = append(list, g.item(f, depth))
	}
	return list
}

func (g *generator) item(f *schema.Field, depth int) tree.Object {
	m := tree.Object{}
	if depth < 12 && g.budget > 0 {
		m = g.fields(f.Type.Elem, depth+1)
	}
	m[f.MergeKey] = "a"
	if key := f.Type.Elem.Field(f.MergeKey); key != nil {
		m[f.MergeKey] = g.value(key.Type, depth)
	}
	return m
}

func (g *generator) value(t *schema.Type, depth int) any {
	g.budget--
	switch t.Form {
	case schema.Struct, schema.SchemaOrBool, schema.SchemaOrArray, schema.SchemaOrStrings:
		if t.Form != schema.Struct {
			t = t.Elem
		}
		if t == nil || depth > 12 || g.budget < 0 {
			return tree.Object{}
		}
		return g.fields(t, depth)
	case schema.Map:
		m := tree.Object{}
		for range g.IntN(4) {
			m[g.name()] = g.value(t.Elem, depth+1)
		}
		return m
	case schema.List:
		list := []any{}
		for range g.IntN(4) {
			list = append(list, g.value(t.Elem, depth+1))
		}
		return list
	case schema.Bool:
		return g.chance(50)
	case schema.Int:
		return int64(g.IntN(4))
	case schema.Float:
		return 0.5 + float64(g.IntN(3))
	case schema.IntOrString:
		if g.chance(50) {
			return int64(g.IntN(3))
		}
	case schema.Any:
		return g.anything(2)
	}
	return g.name()
}

func (g *generator) name() string { return g.one("a", "b", "c", "d", "e", "10", "9") }

// anything makes a value without a thought for the schema.
func (g *generator) anything(depth int) any {
	switch g.IntN(12) {
	case 0:
		return nil
	case 1:
		return g.chance(50)
	case 2:
		return []any{int64(7), int64(1 << 53), int64(1<<53 + 1), int64(-1), 1.5, 1e21, 2.5e-7}[g.IntN(7)]
	case 3:
		return tree.Object{}
	case 4:
		return []any{}
	case 5, 6:
		if depth > 0 {
			m := tree.Object{}
			for range g.IntN(3) {
				m[g.one("a", "name", "b", "key", "newkey")] = g.anything(depth - 1)
			}
			return m
		}
	case 7, 8:
		if depth > 0 {
			list := []any{}
			for range g.IntN(3) {
				list = append(list, g.anything(depth-1))
			}
			return list
		}
	case 9:
		return int64(g.IntN(3))
	}
	return g.name()
}

// wrongCase changes the case of a field's name, by which Go finds it still.
func (g *generator) wrongCase(name string) string {
	if g.chance(50) {
		return strings.ToUpper(name)
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
