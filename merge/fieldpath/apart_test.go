package fieldpath

import "testing"

// TestApart: of paths that overlap only the first is added.
func TestApart(t *testing.T) {
	var a Apart
	for _, c := range []struct {
		path string
		n    int
		ok   bool
	}{
		{"spec.a.b", 0, true}, {"spec.a.c", 1, true}, {"spec.a", 0, false}, {"spec.a.c.d", 1, false}, {"spec.a.c", 1, false},
		{"spec.ab", 2, true}, {"spec.list[name=x].v", 3, true}, {"spec.list[name=y].v", 4, true}, {"spec.list", 3, false}, {"spec.list[name=y]", 4, false},
	} {
		p, err := Parse(c.path)
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := a.Add(p); n != c.n || ok != c.ok {
			t.Errorf("%s: %d, %v", c.path, n, ok)
		}
	}
}
