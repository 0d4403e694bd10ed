package conformance

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"k8s.io/kube-openapi/pkg/util/proto"
	"k8s.io/kube-openapi/pkg/util/proto/validation"

	"threeway/merge/kube/internal/openapi"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// TestOpenAPI validates made-up objects of every kind that 1.37 has a model of,
// and lists of them, as kubectl does, and wants the same errors in the same order.
func TestOpenAPI(t *testing.T) {
	models := swagger(t)
	random := rand.New(rand.NewPCG(1, 2))
	kinds, objects, faults := 0, 0, 0
	for _, k := range kindsWithModels(models) {
		kinds++
		for range 100 {
			m := mistakes{random, 4}
			value, ok := m.value(k.theirs, 0).(tree.Object)
			if !ok {
				continue
			}
			objects++
			var want []string
			for _, err := range validation.ValidateModel(value, k.theirs, k.name) {
				want = append(want, err.Error())
			}
			var got []string
			for _, f := range openapi.Validate(value, k.name, k.ours) {
				got = append(got, f.Text.Unmasked())
			}
			if faults += len(want); !slices.Equal(got, want) {
				t.Errorf("%s %v:\n%q, want\n%q", k.name, value, got, want)
				break
			}
		}
	}
	t.Logf("%d kinds, %d objects, %d errors", kinds, objects, faults)
	if kinds < 150 || faults < 10000 {
		t.Errorf("only %d kinds and %d errors were compared", kinds, faults)
	}
}

type modelled struct {
	name   string
	theirs proto.Schema
	ours   *openapi.Model
}

func kindsWithModels(models proto.Models) []modelled {
	byKind := map[schema.Kind]string{}
	for _, name := range models.ListModels() {
		list, _ := models.LookupModel(name).GetExtensions()["x-kubernetes-group-version-kind"].([]any)
		for _, gvk := range list {
			k := gvk.(map[any]any)
			byKind[schema.Kind{Group: k["group"].(string), Version: k["version"].(string), Kind: k["kind"].(string)}] = name
		}
	}
	var all []modelled
	for _, kind := range []string{"Status", "APIGroup", "APIGroupList", "APIResourceList", "APIVersions", "DeleteOptions", "WatchEvent"} {
		k := schema.Kind{Version: "v1", Kind: kind}
		all = append(all, modelled{kind, models.LookupModel(byKind[k]), openapi.Machinery(k)})
	}
	for _, r := range schema.Resources() {
		ours := openapi.Builtin(r.Kind, minor)
		if ours == nil || byKind[r.Kind] == "" || !r.In(minor) {
			continue
		}
		all = append(all, modelled{r.Kind.Kind, models.LookupModel(byKind[r.Kind]), ours})
		list := r.Kind
		list.Kind += "List"
		if name := byKind[list]; name != "" {
			all = append(all, modelled{list.Kind, models.LookupModel(name), openapi.ListOf(ours)})
		}
	}
	return all
}

// mistakes makes values of models, and now and then what a model does not allow.
type mistakes struct {
	*rand.Rand
	depth int
}

func (m mistakes) value(s proto.Schema, depth int) any {
	if depth > 0 && m.IntN(12) == 0 {
		return []any{nil, "text", true, int64(5), 1.5, tree.Object{"a": "b", "c": nil}, []any{"a", nil}, tree.Object{}}[m.IntN(8)]
	}
	v := &maker{mistakes: m, depth: depth}
	s.Accept(v)
	return v.made
}

// maker makes one value.
type maker struct {
	mistakes
	depth int
	made  any
}

func (v *maker) VisitArray(a *proto.Array) {
	list := []any{}
	for range v.IntN(3) {
		list = append(list, v.value(a.SubType, v.depth+1))
	}
	v.made = list
}

func (v *maker) VisitMap(m *proto.Map) {
	o := tree.Object{}
	for i := range v.IntN(3) {
		o[fmt.Sprint("key.", i)] = v.value(m.SubType, v.depth+1)
	}
	v.made = o
}

func (v *maker) VisitPrimitive(p *proto.Primitive) {
	v.made = map[string]any{"string": "a", "boolean": true, "integer": int64(1), "number": 1.5}[p.Type]
}

func (v *maker) VisitKind(k *proto.Kind) {
	o := tree.Object{}
	for _, name := range slices.Sorted(maps.Keys(k.Fields)) {
		if v.depth < v.mistakes.depth && v.IntN(3) == 0 || slices.Contains(k.RequiredFields, name) && v.IntN(6) > 0 && v.depth < 12 {
			o[name] = v.value(k.Fields[name], v.depth+1)
		}
	}
	if v.IntN(10) == 0 {
		o["unknown"] = "field"
	}
	v.made = o
}

func (v *maker) VisitReference(r proto.Reference) { r.SubSchema().Accept(v) }

func (v *maker) VisitArbitrary(*proto.Arbitrary) {
	v.made = []any{"a", int64(1), tree.Object{"a": nil}, []any{nil}}[v.IntN(4)]
}
