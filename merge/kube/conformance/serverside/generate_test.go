package serverside

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// generator makes objects from few names and values, so that they meet.
type generator struct {
	*rand.Rand
	budget int
	last   tree.Object // the config made before
}

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func (g *generator) name() string { return []string{"a", "b", "c"}[g.IntN(3)] }

// config makes a config of the kind; now and then one that does not fit.
func (g *generator) config(k *kind) tree.Object {
	g.budget = 10 + g.IntN(50)
	obj := tree.Object{"apiVersion": k.APIVersion(), "kind": k.Kind.Kind, "metadata": g.metadata()}
	for i := range k.fields.Fields {
		f := &k.fields.Fields[i]
		if obj[f.Name] == nil && f.In(minor) && (f.Name == "spec" || g.chance(50)) {
			obj[f.Name] = g.value(f, f.Type, 0)
		}
	}
	if g.chance(2) {
		obj["unknown"] = "x"
	}
	g.last = obj
	return obj
}

func (g *generator) metadata() tree.Object {
	m := tree.Object{"name": "x", "namespace": "y"}
	words := func() tree.Object {
		w := tree.Object{}
		for range g.IntN(3) {
			w[g.name()] = g.name()
		}
		return w
	}
	if g.chance(40) {
		m["labels"] = words()
	}
	if g.chance(40) {
		m["annotations"] = words()
	}
	if g.chance(15) {
		m["finalizers"] = []any{"x/" + g.name(), "y/" + g.name()}
	}
	if g.chance(10) {
		m["ownerReferences"] = []any{tree.Object{"apiVersion": "v1", "kind": "A", "name": g.name(), "uid": g.name()}}
	}
	return m
}

// updated makes of a live object another one, as a writer that does not apply.
func (g *generator) updated(k *kind, live tree.Object) tree.Object {
	obj := tree.CopyObject(live)
	if len(obj) < 3 || g.chance(10) {
		obj = g.config(k)
	} else {
		overlay(obj, g.config(k), g)
	}
	if g.last != nil && g.chance(15) {
		text, err := json.Marshal(g.last)
		if err != nil {
			panic(err)
		}
		tree.Set(obj, string(text), "metadata", "annotations", lastApplied)
	}
	return obj
}

// overlay adds some fields of b to a and takes some away.
func overlay(a, b tree.Object, g *generator) {
	for _, key := range slices.Sorted(maps.Keys(b)) {
		v := b[key]
		x, ok := a[key].(map[string]any)
		y, ok2 := v.(map[string]any)
		switch {
		case key == "apiVersion" || key == "kind" || key == "name" || key == "namespace":
		case ok && ok2:
			overlay(x, y, g)
		case g.chance(60):
			a[key] = v
		case g.chance(30):
			delete(a, key)
		}
	}
}

func (g *generator) value(f *schema.Field, t *schema.Type, depth int) any {
	g.budget--
	switch {
	case g.chance(1):
		return nil
	case g.chance(1) && g.chance(30):
		return []any{"wrong"}
	}
	switch t.Form {
	case schema.Struct:
		return g.fields(t, depth)
	case schema.Map:
		m := tree.Object{}
		for range g.IntN(3) {
			m[g.name()] = g.value(nil, t.Elem, depth+1)
		}
		return m
	case schema.List:
		list := []any{}
		for range g.IntN(3) {
			list = append(list, g.item(f, t.Elem, depth))
		}
		return list
	case schema.Bool:
		return g.chance(50)
	case schema.Int:
		return int64(g.IntN(3))
	case schema.Float:
		return 0.5
	case schema.IntOrString:
		if g.chance(50) {
			return int64(g.IntN(3))
		}
	case schema.Any:
		return tree.Object{g.name(): g.name()}
	case schema.SchemaOrBool, schema.SchemaOrArray, schema.SchemaOrStrings:
		return tree.Object{}
	}
	return g.name()
}

// item makes an item of a list, mostly with its keys.
func (g *generator) item(f *schema.Field, t *schema.Type, depth int) any {
	v := g.value(nil, t, depth+1)
	m, ok := v.(map[string]any)
	if !ok || f == nil {
		return v
	}
	for _, key := range f.ListKeys {
		if field := t.Field(key); field != nil && m[key] == nil && g.chance(97) {
			m[key] = g.value(nil, field.Type, depth)
		}
	}
	return m
}

// fields makes a struct with some of its fields.
func (g *generator) fields(t *schema.Type, depth int) tree.Object {
	m := tree.Object{}
	if depth > 9 || g.budget < 0 || len(t.Fields) == 0 {
		return m
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		wanted := f.Name == "spec" || f.Name == "template" || f.Name == "containers" || f.Name == "strategy" || f.Name == "ports"
		if f.In(minor) && f.Name != "managedFields" && (wanted && g.chance(60) || g.chance(100*3/(len(t.Fields)+3))) {
			m[f.Name] = g.value(f, f.Type, depth+1)
		}
	}
	return m
}
