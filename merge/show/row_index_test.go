package show

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"threeway/merge/explain"
	"threeway/merge/fieldpath"
)

// TestRowIndex: the index finds the row that looking through all rows finds.
func TestRowIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	path := func() (p fieldpath.Path) {
		for range r.IntN(4) {
			switch a, b := r.IntN(3), r.IntN(3); r.IntN(4) {
			case 0:
				p = p.Item(a)
			case 1:
				p = p.Select(fieldpath.Key{Name: "port", Value: int64(a)}, fieldpath.Key{Name: "protocol", Value: fmt.Sprint(b)})
			case 2:
				p = p.Select(fieldpath.Key{Name: []string{"port", "protocol"}[a%2], Value: fmt.Sprint(b)})
			default:
				p = p.Child([]string{"a", "0", "port=1"}[a])
			}
		}
		return p
	}
	for range 2000 {
		var fields []explain.Field
		for range r.IntN(12) {
			fields = append(fields, explain.Field{Path: path()})
		}
		x := newRowIndex(fields)
		for range 10 {
			p, want, exact := path(), -1, -1
			for i, f := range fields {
				if f.Path.String() == p.String() {
					exact = i
				}
				if f.Path.Holds(p) && (want < 0 || len(f.Path) > len(fields[want].Path)) {
					want = i
				}
			}
			if exact >= 0 {
				want = exact
			}
			if got := x.row(p); got != want {
				t.Fatalf("%s: row %d, want %d of %v", p, got, want, x.paths)
			}
		}
	}
}
