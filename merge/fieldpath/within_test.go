package fieldpath

import (
	"reflect"
	"testing"
)

func TestHolds(t *testing.T) {
	parse := func(s string) Path {
		p, err := Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct {
		p, q string
		want bool
	}{
		{"spec", "spec.replicas", true},
		{"", "spec", true},
		{"spec.replicas", "spec", false},
		{"spec.ports[port=80]", "spec.ports[port=80,protocol=TCP].name", true},
		{"spec.ports[port=80,protocol=TCP]", "spec.ports[port=80]", true},
		{"spec.ports[port=80,protocol=TCP]", "spec.ports[port=80,protocol=UDP]", false},
		{"spec.ports[port=80]", "spec.ports[name=web]", false},
		{"spec.ports[port=80]", "spec.ports[0]", false},
		{"spec.ports[1]", "spec.ports[1].name", true},
	} {
		if got := parse(c.p).Holds(parse(c.q)); got != c.want {
			t.Errorf("%s holds %s: %v", c.p, c.q, got)
		}
	}
}

func TestWithout(t *testing.T) {
	tree := func() any {
		return map[string]any{
			"a": map[string]any{"b": "x"},
			"c": []any{map[string]any{"name": "one", "v": "1"}, map[string]any{"name": "two"}},
			"d": []any{"x", "y"},
		}
	}
	name := func(s string) Path { return New("c").Select(Key{"name", s}) }
	for _, c := range []struct {
		p    Path
		want any
	}{
		{New("a", "b"), map[string]any{"c": tree().(map[string]any)["c"], "d": []any{"x", "y"}}},
		{name("two").Child("name"), map[string]any{"a": map[string]any{"b": "x"}, "c": []any{map[string]any{"name": "one", "v": "1"}}, "d": []any{"x", "y"}}},
		{name("one").Child("v"), map[string]any{"a": map[string]any{"b": "x"}, "c": []any{map[string]any{"name": "one"}, map[string]any{"name": "two"}}, "d": []any{"x", "y"}}},
		{New("d").Element("x"), map[string]any{"a": map[string]any{"b": "x"}, "c": tree().(map[string]any)["c"], "d": []any{"y"}}},
		{New("d").Item(1), map[string]any{"a": map[string]any{"b": "x"}, "c": tree().(map[string]any)["c"], "d": []any{"x"}}},
		{New("none"), tree()},
		{name("three"), tree()},
		{nil, tree()},
	} {
		v := tree()
		if got := c.p.Without(v); !reflect.DeepEqual(got, c.want) {
			t.Errorf("without %s: %v", c.p, got)
		}
		if !reflect.DeepEqual(v, tree()) {
			t.Errorf("without %s changes its argument", c.p)
		}
	}
}
