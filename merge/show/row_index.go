package show

import (
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
)

// rowIndex finds the row of a field, or of its deepest parent that has one, without
// looking through all rows.
type rowIndex struct {
	paths  []fieldpath.Path
	exact  map[string]int
	likely map[string][]int // by each of likelyNames, made when a field has no row
}

func newRowIndex(fields []explain.Field) *rowIndex {
	x := &rowIndex{exact: make(map[string]int, len(fields))}
	for i, f := range fields {
		x.paths = append(x.paths, f.Path)
		x.exact[f.Path.String()] = i
	}
	return x
}

func (x *rowIndex) row(path fieldpath.Path) int {
	if i, is := x.exact[path.String()]; is {
		return i
	}
	if x.likely == nil {
		x.likely = map[string][]int{}
		seen := map[string]bool{}
		for i, p := range x.paths {
			name := p.String()
			if seen[name] {
				continue
			}
			seen[name] = true
			for _, name := range likelyNames(p) {
				x.likely[name] = append(x.likely[name], i)
			}
		}
	}
	for n := len(path); n >= 0; n-- {
		best := -1
		for _, name := range likelyNames(path[:n]) {
			for _, i := range x.likely[name] {
				if (best < 0 || i < best) && x.paths[i].Holds(path) {
					best = i
				}
			}
		}
		if best >= 0 {
			return best
		}
	}
	return -1
}

// likelyNames are texts of which two paths share one if they can be the same: in each, of
// the keys of an item there is one.
func likelyNames(p fieldpath.Path) []string {
	names := []string{""}
	for _, s := range p {
		var longer []string
		for _, k := range s.Keys {
			for _, name := range names {
				longer = append(longer, name+fieldpath.Path{{Keys: []fieldpath.Key{k}}}.String())
			}
		}
		if s.Keys == nil {
			for _, name := range names {
				longer = append(longer, name+"/"+s.String())
			}
		}
		names = longer
	}
	return names
}
