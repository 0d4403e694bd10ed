package conformance

import (
	"slices"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// temper is how wild the edits of a triple are.
type temper int

const (
	sane       temper = iota // what people do: other values, items, fields
	careless                 // also nulls, wrong types, missing and repeated keys, unknown fields
	directives               // also the directives of strategic merge patches
)

// triple makes a base object and derives the three from it.
func (g *generator) triple(k *kind) triple {
	base := g.object(k)
	mood := []temper{sane, sane, sane, careless, careless, directives}[g.IntN(6)]
	if g.chance(25) { // what is wrong may be so from the start
		g.budget = 10
		g.edit(k, base, min(mood, careless))
	}
	derive := func(mood temper) tree.Object {
		obj := tree.CopyObject(base)
		for range g.IntN(6) {
			g.budget = 10
			g.edit(k, obj, mood)
		}
		return obj
	}
	t := triple{last: derive(mood), config: derive(mood), live: derive(min(mood, careless)), guarded: g.chance(30)}
	if g.chance(15) {
		t.last = nil
	}
	return t
}

// place is a map or a list within an object, and what the schema says of it.
type place struct {
	m     tree.Object
	list  []any
	set   func([]any)   // replaces the list
	t     *schema.Type  // of the map; nil if unknown
	field *schema.Field // of the list
	depth int
}

// places lists every map and list of an object.
func places(obj tree.Object, t *schema.Type, depth int, found []place) []place {
	found = append(found, place{m: obj, t: t, depth: depth})
	keys := make([]string, 0, len(obj))
	for key := range obj {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		var f *schema.Field
		if t != nil && t.Form == schema.Struct {
			f = t.Field(key)
		}
		switch v := obj[key].(type) {
		case map[string]any:
			found = places(v, elementOf(f, schema.Struct), depth+1, found)
		case []any:
			found = append(found, place{list: v, set: func(l []any) { obj[key] = l }, field: f, depth: depth + 1})
			for _, x := range v {
				if m, ok := x.(map[string]any); ok {
					found = places(m, elementOf(f, schema.List), depth+2, found)
				}
			}
		}
	}
	return found
}

// elementOf is the type of what a field holds in a value of the form; nil if
// the field has another form.
func elementOf(f *schema.Field, form schema.Form) *schema.Type {
	switch {
	case f == nil:
		return nil
	case form == schema.List && f.Type.Form == schema.List:
		return f.Type.Elem
	case form == schema.Struct && f.Type.Form != schema.List:
		return f.Type
	}
	return nil
}

// edit changes one thing in an object.
func (g *generator) edit(k *kind, obj tree.Object, mood temper) {
	all := places(obj, k.ours, 0, nil)
	p := all[g.IntN(len(all))]
	if p.m != nil {
		g.editMap(p, mood)
	} else {
		p.set(g.editList(p, slices.Clone(p.list), mood))
	}
}

func (g *generator) editMap(p place, mood temper) {
	if mood == directives && g.chance(25) {
		g.addDirective(p)
		return
	}
	key := g.keyOf(p.m)
	if mood >= careless && key != "" && g.chance(25) {
		v := p.m[key]
		switch g.IntN(6) {
		case 0, 1:
			p.m[key] = nil
		case 2:
			p.m[key] = g.anything(2)
		case 3:
			p.m["new"+key] = v
		case 4:
			p.m[g.wrongCase(key)] = v
		case 5:
			p.m[key] = []any{tree.Object{}, []any{}, []any{v}, tree.Object{"a": v}, "x"}[g.IntN(5)]
		}
		return
	}
	var f *schema.Field
	if p.t != nil && p.t.Form == schema.Struct {
		f = g.field(p.t)
	}
	switch {
	case key != "" && key != "apiVersion" && key != "kind" && g.chance(35):
		delete(p.m, key)
	case f != nil && p.depth < 14 && f.Name != "apiVersion" && f.Name != "kind":
		p.m[f.Name] = g.ofField(f, p.depth)
	case p.t == nil:
		p.m[g.name()] = g.anything(2)
	case p.t.Form == schema.Map && p.t.Elem.Form != schema.Struct:
		p.m[g.name()] = g.value(p.t.Elem, p.depth)
	}
}

func (g *generator) keyOf(m tree.Object) string {
	if len(m) == 0 {
		return ""
	}
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys[g.IntN(len(keys))]
}

func (g *generator) editList(p place, list []any, mood temper) []any {
	if mood == directives && p.field != nil && p.field.MergeKey != "" && g.chance(30) {
		return append(list, tree.Object{p.field.MergeKey: g.name(), "$patch": g.one("delete", "delete", "replace", "merge", "no")})
	}
	if mood >= careless && g.chance(20) {
		switch g.IntN(3) {
		case 0:
			return slices.Insert(list, g.IntN(len(list)+1), g.anything(1))
		case 1:
			return []any{}
		}
		if len(list) > 0 {
			return append(list, tree.Copy(list[g.IntN(len(list))]))
		}
	}
	switch n := g.IntN(10); {
	case len(list) > 0 && n < 3:
		i := g.IntN(len(list))
		return slices.Delete(list, i, i+1)
	case len(list) > 1 && n < 5:
		g.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	case p.field != nil && p.field.Type.Form == schema.List:
		var v any
		if p.field.MergeKey != "" {
			v = g.item(p.field, p.depth)
		} else {
			v = g.value(p.field.Type.Elem, p.depth)
		}
		return slices.Insert(list, g.IntN(len(list)+1), v)
	}
	return list
}

func (g *generator) addDirective(p place) {
	field, mergeKey := "a", "name"
	if p.t != nil && p.t.Form == schema.Struct {
		f := g.field(p.t)
		if key := g.keyOf(p.m); key != "" && g.chance(50) {
			field, f = key, p.t.Field(key)
		}
		if f != nil {
			field, mergeKey = f.Name, f.MergeKey
		}
	}
	list := []any{}
	for range g.IntN(4) {
		switch {
		case g.chance(5):
			list = append(list, g.anything(1))
		case mergeKey != "":
			list = append(list, tree.Object{mergeKey: g.name()})
		default:
			list = append(list, g.name())
		}
	}
	switch g.IntN(7) {
	case 0, 1:
		p.m["$patch"] = g.one("delete", "replace", "merge", "")
	case 2:
		p.m["$patch"] = g.anything(1)
	case 3:
		names := []any{}
		for key := range p.m {
			names = append(names, key)
		}
		slices.SortFunc(names, func(a, b any) int { return len(a.(string)) - len(b.(string)) })
		p.m["$retainKeys"] = []any{names, names, list, "x", nil}[g.IntN(5)]
	case 4:
		p.m["$setElementOrder/"+field] = list
	case 5:
		p.m["$deleteFromPrimitiveList/"+field] = []any{g.name(), g.name()}
	case 6:
		p.m[g.one("$setElementOrder", "$setElementOrder/", "$deleteFromPrimitiveList", "$setElementOrderX/a", "$deleteFromPrimitiveList/")+g.one("", field)] = []any{list, g.anything(1)}[g.IntN(2)]
	}
}
