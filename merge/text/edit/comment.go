package edit

import (
	"cmp"
	"slices"

	"go.yaml.in/yaml/v3"
)

// commentIn reports whether there is a comment between two offsets inside the
// node in.
func (d *document) commentIn(start, end int, in *yaml.Node) bool {
	var opaque [][2]int // scalars, in which a # is not a comment
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
			if from < end && to > start {
				opaque = append(opaque, [2]int{from, to})
			}
		}
		for _, child := range n.Content {
			visit(child)
		}
	}
	visit(in)
	slices.SortFunc(opaque, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	if !ok {
		opaque = nil // then any # counts
	}
	for at := start; at < end; at++ {
		if len(opaque) > 0 && at >= opaque[0][0] {
			at = max(at, opaque[0][1]) - 1
			opaque = opaque[1:]
			continue
		}
		if d.text[at] == '#' {
			return true
		}
	}
	return false
}
