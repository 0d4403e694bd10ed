package server

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// generator makes objects of a type, mostly right ones, with a liking for the
// values that defaulting, conversion and encoding treat in their own way.
type generator struct {
	*rand.Rand
	budget  int // values left to make
	density int // percent of a struct's fields to set
	null    int // one in so many values is null; 0: none
	unknown int // one in so many structs has an unknown field; 0: none
	wrong   int // one in so many values is of the wrong type; 0: none
}

// leading are fields that are worth having for what is below them.
var leading = map[string]bool{"spec": true, "template": true, "jobTemplate": true, "containers": true, "volumes": true, "versions": true, "schema": true, "openAPIV3Schema": true}

// made is the i-th object of a kind, and whether it is the result of a patch.
func made(k *kind, seed uint64, i int) (tree.Object, bool) {
	h := fnv.New64a()
	fmt.Fprint(h, k)
	g := &generator{Rand: rand.New(rand.NewPCG(seed, h.Sum64()+uint64(i)))}
	g.budget = 10 + g.IntN(90)
	g.density = []int{4, 15, 40, 80}[g.IntN(4)]
	g.null = []int{0, 0, 4, 20}[g.IntN(4)]
	if g.IntN(6) == 0 {
		g.unknown = 2 + g.IntN(20)
	}
	if g.IntN(6) == 0 {
		g.wrong = 10 + g.IntN(80)
	}
	obj := g.fields(k.ours, 0)
	if g.IntN(10) > 0 {
		tree.Set(obj, "x", "metadata", "name")
	}
	obj["apiVersion"], obj["kind"] = k.APIVersion(), k.Kind.Kind
	settle(obj, k)
	return decode([]byte(encode(obj))), g.IntN(3) == 0
}

// settle keeps an object to what we claim to know.
func settle(obj tree.Object, k *kind) {
	switch k.String() {
	case "autoscaling/v1.HorizontalPodAutoscaler":
		// The rest of v2, in annotations.
		tree.Delete(obj, "metadata", "annotations")
		delete(obj, "status")
	case "apiextensions.k8s.io/v1.CustomResourceDefinition":
		// Storage, which is v1beta1, defaults what validation asks for.
		if tree.Has(obj, "spec", "conversion", "webhook") && len(tree.List(obj, "spec", "conversion", "webhook", "conversionReviewVersions")) == 0 ||
			tree.String(obj, "spec", "conversion", "strategy") == "Webhook" {
			tree.Delete(obj, "spec", "conversion")
		}
		if spec := tree.Map(obj, "spec"); spec != nil && tree.Empty(spec["versions"]) {
			delete(spec, "versions")
		}
		if spec := tree.Map(obj, "spec"); spec == nil || tree.Empty(spec["scope"]) {
			tree.Set(obj, "Cluster", "spec", "scope")
		}
	case "resource.k8s.io/v1.ResourceSlice", "resource.k8s.io/v1.ResourceClaim":
		// A taint's time defaults to now.
		for _, d := range tree.List(obj, "spec", "devices") {
			taints := tree.List(d, "taints")
			for i, taint := range taints {
				if taint == nil {
					taints[i] = tree.Object{}
				}
				if taint := tree.Map(taints[i]); taint != nil {
					taint["timeAdded"] = "2020-01-01T00:00:00Z"
				}
			}
		}
	}
}

func (g *generator) once(in int) bool { return in > 0 && g.IntN(in) == 0 }

func pick[T any](g *generator, of ...T) T { return of[g.IntN(len(of))] }

func (g *generator) fields(t *schema.Type, depth int) tree.Object {
	obj := tree.Object{}
	if g.budget < 0 || depth > 14 {
		return obj
	}
	for _, i := range g.Perm(len(t.Fields)) {
		f := &t.Fields[i]
		lead := depth < 8 && leading[f.Name]
		if f.In(minor) && (lead && g.IntN(4) > 0 || g.IntN(100) < g.density) {
			obj[f.Name] = g.value(f.Type, f.Name, depth)
		}
		if at, ok := obj[f.Name].(string); ok && f.Pointer && strings.HasPrefix(at, "0001-01-01") {
			delete(obj, f.Name) // prints as null, which our trees cannot tell from an absent pointer
		}
		if g.budget < 0 {
			break
		}
	}
	if g.once(g.unknown) {
		obj[pick(g, "newkey", "Name", "x.y", "")] = g.scalar(depth)
	}
	return obj
}

func (g *generator) value(t *schema.Type, name string, depth int) any {
	g.budget--
	switch {
	case g.once(g.null):
		return nil
	case g.once(g.wrong):
		return g.scalar(depth)
	}
	switch t.Form {
	case schema.Struct:
		return g.fields(t, depth+1)
	case schema.Map:
		m := tree.Object{}
		for range g.IntN(4) {
			m[g.key(t)] = g.value(t.Elem, name, depth+1)
		}
		return m
	case schema.List:
		list := []any{}
		for range g.IntN(4) {
			list = append(list, g.value(t.Elem, name, depth+1))
		}
		return list
	case schema.SchemaOrBool, schema.SchemaOrArray, schema.SchemaOrStrings:
		return g.union(t, depth)
	case schema.Any:
		return g.anything(2)
	case schema.String:
		return g.text(name)
	}
	return g.special(t)
}

// union makes a value of a field of a JSON schema that takes one of two types.
func (g *generator) union(t *schema.Type, depth int) any {
	if g.IntN(3) > 0 {
		return g.fields(t.Elem, depth+1)
	}
	switch t.Form {
	case schema.SchemaOrBool:
		return g.IntN(2) == 0
	case schema.SchemaOrStrings:
		return pick(g, []any{}, []any{"a"}, []any{"b", "a"})
	}
	return []any{g.fields(t.Elem, depth+1), g.fields(t.Elem, depth+1)}[:g.IntN(3)]
}

// special makes a value of a scalar type.
func (g *generator) special(t *schema.Type) any {
	odd := g.once(g.wrong)
	switch t.Form {
	case schema.Bool:
		return g.IntN(2) == 0
	case schema.Int:
		if odd {
			return pick[any](g, int64(1<<31), int64(-1<<31-1), int64(1<<62), 1.5, 1e21, "1")
		}
		return pick(g, int64(0), 0, 1, 2, -1, 80, 443, 1<<31-1)
	case schema.Float:
		return pick[any](g, int64(0), int64(3), 0.5, -2.5e-7, 1e21, 12345678.9)
	case schema.Bytes:
		if odd {
			return pick(g, "a", "%%", "YQ", "YQ==YQ==", "Y Q==")
		}
		return pick(g, "", "YQ==", "aGVs\nbG8=\n", "//79")
	case schema.Quantity:
		if odd {
			return pick[any](g, "", "x", "1 Gi", "1gi", "--1", true, "1e", "1.2.3")
		}
		return pick[any](g, "0", "1", "100m", "1000m", "0.1", "1e3", "1E3", "1Ki", "1.5Gi", "1024Mi", "1u", "1n", "0.0001",
			"-1", "+2", ".5", "5.", "00.50", "1234567890123456789012", "123456789.123456789", "500k", "1M", "1000k", int64(2), 1.5, 0.001, " 1")
	case schema.IntOrString:
		if odd {
			return pick[any](g, int64(1<<31), 1.5, true, []any{})
		}
		return pick[any](g, int64(0), int64(80), int64(-1), "", "http", "25%", "80")
	case schema.Time, schema.MicroTime:
		if odd {
			return pick(g, "", "x", "2020-01-01", "2020-01-01T00:00:00", "2020-13-01T00:00:00Z", "now")
		}
		if t.Form == schema.MicroTime && g.IntN(3) > 0 {
			return pick(g, "2020-01-01T00:00:00.000000Z", "2020-01-01T12:30:00.123456+02:00", "0001-01-01T00:00:00.000000Z", "2020-01-01T00:00:00.1Z")
		}
		return pick(g, "2020-01-01T00:00:00Z", "2020-01-01T12:30:00+02:00", "2020-01-01T00:00:00.123456789Z", "0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "1969-12-31T23:59:59-01:00")
	case schema.Duration:
		if odd {
			return pick(g, "", "x", "1", "1d")
		}
		return pick(g, "0s", "90s", "1h", "1.5h", "1m0.5s", "-1s")
	}
	panic(fmt.Sprintf("no values for form %d", t.Form))
}

// scalar makes a value without a thought for the schema.
func (g *generator) scalar(depth int) any {
	return pick[any](g, "x", "1", "", int64(1), int64(0), 1.5, true, false, nil, tree.Object{}, []any{}, []any{"a"}, tree.Object{"a": "b"}, []any{tree.Object{"name": int64(1)}})
}

// anything makes arbitrary JSON.
func (g *generator) anything(depth int) any {
	switch n := g.IntN(8); {
	case depth > 0 && n < 3:
		m := tree.Object{}
		for range g.IntN(3) {
			m[pick(g, "a", "b", "kind", "apiVersion", "name")] = g.anything(depth - 1)
		}
		return m
	case depth > 0 && n == 3:
		return []any{g.anything(depth - 1), g.anything(depth - 1)}[:g.IntN(3)]
	case depth == 2:
		return tree.Object{"f:a": tree.Object{}}
	}
	return g.scalar(0)
}
