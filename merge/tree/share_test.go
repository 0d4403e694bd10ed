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
	other := Object{"spec": Object{"a": Object{"b": "x"}}, "status": Object{}}
	shared := Share(Object{"spec": Object{"a": Object{"b": "x"}, "c": "y"}}, other)
	if !Same(Map(shared, "spec", "a"), Map(other, "spec", "a")) {
		t.Errorf("%v does not share spec.a", shared)
	}
}

// TestPooled: pooling changes no value, and of equal parts there is one.
func TestPooled(t *testing.T) {
	object := func(name string) Object {
		return Object{"spec": Object{"name": name, "a": Object{"b": []any{"x", int64(1), 1.0, nil, true}}, "c": []any{}, "d": Object{}},
			"metadata": Object{"name": name, "labels": Object{"a": "b"}}}
	}
	one, two := object("one"), object("two")
	trees.Add(few)
	Pooled(one)
	Pooled(two)
	if !Equal(one, object("one")) || !Equal(two, object("two")) {
		t.Fatalf("%v and %v are changed", one, two)
	}
	for _, path := range [][]string{{"spec", "a"}, {"metadata", "labels"}} {
		if !Same(Map(one, path...), Map(two, path...)) {
			t.Errorf("%v is not shared", path)
		}
	}
	if Same(Map(one, "metadata"), Map(two, "metadata")) || Same(Map(one, "spec"), Map(two, "spec")) {
		t.Error("what differs is shared")
	}
}

func TestApart(t *testing.T) {
	a := Object{"same": []any{int64(1)}, "list": []any{int64(1)}, "only": nil, "in": Object{"same": "x", "a": true, "deep": Object{}}, "kind": Object{}}
	b := Object{"same": []any{int64(1)}, "list": []any{int64(2)}, "in": Object{"same": "x", "b": true, "deep": Object{"c": "d"}}, "kind": "text"}
	x, y := Apart(a, b)
	if want := (Object{"list": []any{int64(1)}, "only": nil, "in": Object{"a": true, "deep": Object{}}, "kind": Object{}}); !Equal(x, want) {
		t.Errorf("got %v, want %v", x, want)
	}
	if want := (Object{"list": []any{int64(2)}, "in": Object{"b": true, "deep": Object{"c": "d"}}, "kind": "text"}); !Equal(y, want) {
		t.Errorf("got %v, want %v", y, want)
	}
	if x, y := Apart(a, a); len(x)+len(y) > 0 {
		t.Errorf("of one object, %v and %v are apart", x, y)
	}
}
