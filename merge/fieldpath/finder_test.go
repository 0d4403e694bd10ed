package fieldpath

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"threeway/fixtures/breadth"
)

// TestFinder: an index of a long list finds the item that looking through it finds.
func TestFinder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values := []any{int64(80), int64(81), "80", "null", nil, "TCP", true, map[string]any{}}
	for range breadth.Of(300, 10) {
		var list []any
		for range longList + r.IntN(40) {
			item := map[string]any{"name": fmt.Sprint("n", r.IntN(90))}
			for _, key := range []string{"port", "protocol"} {
				if r.IntN(3) > 0 {
					item[key] = values[r.IntN(len(values))]
				}
			}
			switch r.IntN(12) {
			case 0:
				list = append(list, "TCP")
			case 1:
				list = append(list, values[r.IntN(len(values))])
			default:
				list = append(list, item)
			}
		}
		root, f := map[string]any{"list": list}, &Finder{}
		for range 200 {
			keys := [][]Key{
				{{Name: "name", Value: fmt.Sprint("n", r.IntN(90))}},
				{{Name: "port", Value: values[r.IntN(len(values))]}, {Name: "protocol", Value: values[r.IntN(len(values))]}},
				{{Value: values[r.IntN(len(values))]}},
			}[r.IntN(3)]
			step := Step{Keys: keys}
			want := step.Match(list)
			if got := f.Match(step, list); got != want {
				t.Fatalf("%s: item %d, want %d, of %v", step, got, want, list)
			}
			v, ok := f.Find(Path{{Field: "list"}, step, {Field: "name"}}, root)
			if w, is := (Path{{Field: "list"}, step, {Field: "name"}}).Find(root); ok != is || v != w {
				t.Fatalf("%s: %v %t, want %v %t", step, v, ok, w, is)
			}
		}
	}
}
