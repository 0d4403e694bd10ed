package tree

import (
	"math/rand/v2"
	"testing"
)

// TestShare: sharing changes no value, and takes the equal parts of the other tree.
func TestShare(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var value func(depth int) any
	value = func(depth int) any {
		switch n := r.IntN(6); {
		case n < 2 && depth < 4:
			m := Object{}
			for range r.IntN(3) {
				m[string(rune('a'+r.IntN(3)))] = value(depth + 1)
			}
			return m
		case n < 3 && depth < 4:
			list := make([]any, r.IntN(3))
			for i := range list {
				list[i] = value(depth + 1)
			}
			return list
		}
		return []any{nil, "", "x", int64(1), 1.0, true}[r.IntN(6)]
	}
	for range 5000 {
		own, other := Object{"spec": value(0), "data": value(0)}, Object{"spec": value(0), "data": value(0)}
		was, there := CopyObject(own), CopyObject(other)
		if shared := Share(own, other); !Equal(shared, was) || !Equal(other, there) {
			t.Fatalf("%v with parts of %v is %v", was, there, shared)
		}
	}
	other := Object{"spec": Object{"a": Object{"b": "x"}}, "metadata": Object{"labels": Object{}}}
	shared := Share(CopyObject(other), other)
	Map(other, "spec", "a")["b"] = "y"
	Map(other, "metadata", "labels")["c"] = "z"
	if String(shared, "spec", "a", "b") != "y" || Has(shared, "metadata", "labels", "c") {
		t.Errorf("%v shares not just the spec", shared)
	}
}
