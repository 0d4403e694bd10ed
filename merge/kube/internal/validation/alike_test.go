package validation

import (
	"math/rand/v2"
	"testing"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// TestAlike: values that are equal have the same text, so that none is missed that is
// looked for by it.
func TestAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	leaves := []any{nil, "", "a", "1", int64(1), int64(1000), float64(1), true}
	quantities := []any{"1", "1000m", "0.001k", "x", nil}
	var value func(typ *schema.Type, depth int) any
	value = func(typ *schema.Type, depth int) any {
		if r.IntN(3) == 0 || depth > 3 {
			return nil
		}
		switch typ.Form {
		case schema.Struct:
			m := tree.Object{}
			for range 2 {
				f := &typ.Fields[r.IntN(min(4, len(typ.Fields)))]
				m[f.Name] = value(f.Type, depth+1)
			}
			return m
		case schema.List:
			list := make([]any, r.IntN(2))
			for i := range list {
				list[i] = value(typ.Elem, depth+1)
			}
			return list
		case schema.Map:
			return tree.Object{[]string{"a", "b"}[r.IntN(2)]: value(typ.Elem, depth+1)}
		}
		if typ.Form == schema.Quantity {
			return quantities[r.IntN(len(quantities))]
		}
		return leaves[r.IntN(len(leaves))]
	}
	equal := 0
	for _, name := range []string{"core/v1.Container", "core/v1.ResourceRequirements", "rbac/v1.PolicyRule"} {
		typ := schema.TypeNamed(name)
		if typ == nil {
			t.Fatalf("no type %s", name)
		}
		for range 20000 {
			a, b := value(typ, 0), value(typ, 0)
			x, y := string(appendAlike(nil, a, typ)), string(appendAlike(nil, b, typ))
			if is := Equal(a, b, typ, false); is && x != y {
				t.Fatalf("%v and %v are equal, and their texts are not:\n%s\n%s", a, b, x, y)
			} else if is && !tree.Equal(a, b) {
				equal++
			}
		}
	}
	if equal == 0 {
		t.Error("no two values were equal and written differently")
	}
}
