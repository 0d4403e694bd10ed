package strategic

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"threeway/merge/tree"
)

// TestPlaces: among many items the same are found as by looking at each.
func TestPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	scalars := []any{"a", "b", "", int64(1), 1.0, true, nil, "1"}
	for n := range 2000 {
		key := []string{"", "name"}[n%2]
		p := placesOf(nil, key)
		p.at = map[any]int{}
		for range r.IntN(8) {
			v := scalars[r.IntN(len(scalars))]
			if key != "" {
				m := tree.Object{"x": v}
				if r.IntN(4) > 0 {
					m[key] = v
				}
				v = m
			}
			p.add(v)
		}
		for _, want := range append(scalars, tree.Object{}, []any{}) {
			if key != "" {
				i, err := p.with(want)
				j, wrong := find(p.list, key, want)
				if i != j || fmt.Sprint(err) != fmt.Sprint(wrong) {
					t.Fatalf("%v in %v: %d, %v, not %d, %v", want, p.list, i, err, j, wrong)
				}
				want = tree.Object{key: want}
			}
			if i, j := p.of(want), indexOf(p.list, want, key); i != j {
				t.Fatalf("%v in %v: %d, not %d", want, p.list, i, j)
			}
			if i, j := p.of(tree.Object{}), indexOf(p.list, tree.Object{}, key); key != "" && i != j {
				t.Fatalf("without a key in %v: %d, not %d", p.list, i, j)
			}
		}
	}
	// With a key that is no scalar each item is looked at.
	many := make([]any, smallSize+1)
	for i := range many {
		many[i] = tree.Object{"name": int64(i)}
	}
	if p := placesOf(many, "name"); p.at == nil {
		t.Error("no map of many items")
	}
	p := placesOf(nil, "name")
	for _, v := range many {
		p.add(v)
	}
	if i, err := p.with(int64(smallSize)); p.at == nil || i != smallSize || err != nil {
		t.Errorf("no map of items that became many: %d, %v", i, err)
	}
	many[smallSize] = tree.Object{"name": []any{}}
	p = placesOf(many, "name")
	if p.at != nil {
		t.Error("a map of items of which one has a list for a key")
	}
	many[smallSize] = "no map"
	if _, err := p.with("x"); err == nil {
		t.Error("no error of an item that is no map")
	}
}

// TestDistinctOfMany: the same items stay in the same places as when each is held
// against each.
func TestDistinctOfMany(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		list := make([]any, r.IntN(smallSize+1))
		for i := range list {
			list[i] = string(rune('a' + r.IntN(1+r.IntN(12))))
		}
		got, want := distinctOfMany(slices.Clone(list)), distinct(slices.Clone(list))
		if !slices.Equal(got, want) {
			t.Fatalf("%v becomes %v, not %v", list, got, want)
		}
	}
}
