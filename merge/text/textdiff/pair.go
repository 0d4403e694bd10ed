package textdiff

import "strings"

// Words finds the words that changed within the hunk's lines. It pairs each
// removed line with the added line that replaced it, and returns the changed
// spans of each of h.Lines; a line without a pair has none.
func (h Hunk) Words() [][]Span {
	spans := make([][]Span, len(h.Lines))
	for i := 0; i < len(h.Lines); i++ {
		var removed, added int
		removed, added, i = h.run(i)
		for _, p := range pairs(h.Lines[removed:added], h.Lines[added:i]) {
			o, n := removed+p[0], added+p[1]
			spans[o], spans[n] = Words(h.Lines[o].Text, h.Lines[n].Text)
		}
	}
	return spans
}

// pairLimit limits the product of the numbers of removed and added lines that
// are compared.
const pairLimit = 1 << 14

// pairs matches removed lines with added ones, in order, so that the sum of
// their likeness is as large as possible.
func pairs(removed, added []Line) [][2]int {
	m, n := len(removed), len(added)
	if m == 0 || n == 0 || m*n > pairLimit {
		return nil
	}
	like := make([]int, m*n)
	best := make([]int, (m+1)*(n+1)) // for the lines from i and j on
	for i := m - 1; i >= 0; i-- {
		for j := n - 1; j >= 0; j-- {
			l := likeness(removed[i].Text, added[j].Text)
			like[i*n+j] = l
			best[i*(n+1)+j] = max(best[(i+1)*(n+1)+j], best[i*(n+1)+j+1], l+best[(i+1)*(n+1)+j+1])
		}
	}
	var list [][2]int
	for i, j := 0, 0; i < m && j < n; {
		switch l := like[i*n+j]; {
		case l > 0 && best[i*(n+1)+j] == l+best[(i+1)*(n+1)+j+1]:
			list = append(list, [2]int{i, j})
			i, j = i+1, j+1
		case best[i*(n+1)+j] == best[(i+1)*(n+1)+j]:
			i++
		default:
			j++
		}
	}
	return list
}

// likeness returns, from 0 to 200, how similar two lines are: over 100 for the
// same YAML key, otherwise by the length of the equal ends.
func likeness(a, b string) int {
	a, indentA := unindent(a)
	b, indentB := unindent(b)
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	shorter := min(len(a), len(b))
	head := 0
	for head < shorter && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < shorter-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	share := 200 * (head + tail) / (len(a) + len(b))
	keyA, _, foundA := strings.Cut(a, ":")
	keyB, _, foundB := strings.Cut(b, ":")
	switch {
	case foundA && foundB && keyA == keyB && indentA == indentB:
		return 100 + share
	case share >= 50:
		return share
	}
	return 0
}

func unindent(line string) (text string, indent int) {
	text = strings.TrimLeft(line, " ")
	return text, len(line) - len(text)
}
