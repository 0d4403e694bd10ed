package edit

import (
	"cmp"
	"slices"

	"go.yaml.in/yaml/v3"
)

// commentIn reports whether there is a comment between two offsets inside the
// node in.
func (d *document) commentIn(start, end int, in *yaml.Node) bool {
	opaque := d.opaque(in)
	next, _ := slices.BinarySearchFunc(opaque, start, func(scalar [2]int, start int) int { return cmp.Compare(scalar[1], start+1) })
	for at := start; at < end; at++ {
		if next < len(opaque) && at >= opaque[next][0] {
			at = max(at, opaque[next][1]) - 1
			next++
			continue
		}
		if d.text[at] == '#' {
			return true
		}
	}
	return false
}

// opaque returns where the scalars in a node begin and end, in order: a # there is not a
// comment. If the end of one is unknown there are none, and any # counts.
func (d *document) opaque(in *yaml.Node) [][2]int {
	list, known := d.scalars[in]
	if known {
		return list
	}
	ok := true
	var visit func(n *yaml.Node)
	visit = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode && !leftOut(n) {
			from := d.start(n)
			to, err := d.end(n)
			ok = ok && err == nil
			if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
				from = d.nextLine(from) // its first line may end in a comment
			}
			list = append(list, [2]int{from, to})
		}
		for _, child := range n.Content {
			visit(child)
		}
	}
	visit(in)
	if !ok {
		list = nil
	}
	d.scalars[in] = list
	return list
}
