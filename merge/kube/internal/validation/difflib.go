package validation

import (
	"fmt"
	"strings"
)

// context is how many equal lines stand around a change.
const context = 3

// span says that old[a0:a1] became new[b0:b1]; same if they are equal.
type span struct {
	a0, a1, b0, b1 int
	same           bool
}

// unified prints how two texts differ as Python's difflib does, which the server's
// messages follow, without a header for their files; nothing if they are equal.
func unified(old, new []string) string {
	var out strings.Builder
	for _, hunk := range hunks(spans(old, new)) {
		first, last := hunk[0], hunk[len(hunk)-1]
		fmt.Fprintf(&out, "@@ -%s +%s @@\n", lineRange(first.a0, last.a1), lineRange(first.b0, last.b1))
		for _, s := range hunk {
			if s.same {
				writeLines(&out, " ", old[s.a0:s.a1])
				continue
			}
			writeLines(&out, "-", old[s.a0:s.a1])
			writeLines(&out, "+", new[s.b0:s.b1])
		}
	}
	return out.String()
}

func writeLines(out *strings.Builder, mark string, lines []string) {
	for _, l := range lines {
		out.WriteString(mark + l + "\n")
	}
}

// lineRange prints the lines start to stop (exclusive, from 0) of a hunk.
func lineRange(start, stop int) string {
	switch stop - start {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(start + 1)
	}
	return fmt.Sprintf("%d,%d", start+1, stop-start)
}

// hunks groups the changes with up to context equal lines around them.
func hunks(all []span) [][]span {
	if s := &all[0]; s.same {
		s.a0, s.b0 = max(s.a0, s.a1-context), max(s.b0, s.b1-context)
	}
	if s := &all[len(all)-1]; s.same {
		s.a1, s.b1 = min(s.a1, s.a0+context), min(s.b1, s.b0+context)
	}
	var groups [][]span
	var group []span
	for _, s := range all {
		if s.same && s.a1-s.a0 > 2*context {
			head := s
			head.a1, head.b1 = s.a0+context, s.b0+context
			groups = append(groups, append(group, head))
			group = nil
			s.a0, s.b0 = s.a1-context, s.b1-context
		}
		group = append(group, s)
	}
	if len(group) > 1 || len(group) == 1 && !group[0].same {
		groups = append(groups, group)
	}
	return groups
}

// spans cuts both texts into equal and changed parts.
func spans(old, new []string) []span {
	m := matcher{old: old, new: new, at: lineIndex(new)}
	m.match(0, len(old), 0, len(new))
	var all []span
	i, j := 0, 0
	for _, s := range append(m.found, span{len(old), len(old), len(new), len(new), true}) {
		if i < s.a0 || j < s.b0 {
			all = append(all, span{i, s.a0, j, s.b0, false})
		}
		if s.a0 < s.a1 {
			all = append(all, s) // two do not touch: each is as long as it can be
		}
		i, j = s.a1, s.b1
	}
	return all
}

// matcher is the Ratcliff/Obershelp matching of Python's SequenceMatcher:
// the longest equal block first, then the same on both sides of it.
type matcher struct {
	old, new []string
	at       map[string][]int
	found    []span
}

// lineIndex says where each line of the text stands. Like difflib it leaves
// out the lines that fill more than a hundredth of a long text.
func lineIndex(lines []string) map[string][]int {
	at := map[string][]int{}
	for i, l := range lines {
		at[l] = append(at[l], i)
	}
	if n := len(lines); n >= 200 {
		for l, places := range at {
			if len(places) > n/100+1 {
				delete(at, l)
			}
		}
	}
	return at
}

func (m *matcher) match(a0, a1, b0, b1 int) {
	s := m.longest(a0, a1, b0, b1)
	if s.a0 == s.a1 {
		return
	}
	if a0 < s.a0 && b0 < s.b0 {
		m.match(a0, s.a0, b0, s.b0)
	}
	m.found = append(m.found, s)
	if s.a1 < a1 && s.b1 < b1 {
		m.match(s.a1, a1, s.b1, b1)
	}
}

// longest returns the longest equal block within the bounds, the first one if
// several are; lines left out of the index only lengthen it.
func (m *matcher) longest(a0, a1, b0, b1 int) span {
	best := span{a0, a0, b0, b0, true}
	ending := map[int]int{} // length of the block that ends at a line of new
	for i := a0; i < a1; i++ {
		next := map[int]int{}
		for _, j := range m.at[m.old[i]] {
			if j < b0 {
				continue
			}
			if j >= b1 {
				break
			}
			n := ending[j-1] + 1
			next[j] = n
			if n > best.a1-best.a0 {
				best = span{i - n + 1, i + 1, j - n + 1, j + 1, true}
			}
		}
		ending = next
	}
	for best.a0 > a0 && best.b0 > b0 && m.old[best.a0-1] == m.new[best.b0-1] {
		best.a0, best.b0 = best.a0-1, best.b0-1
	}
	for best.a1 < a1 && best.b1 < b1 && m.old[best.a1] == m.new[best.b1] {
		best.a1, best.b1 = best.a1+1, best.b1+1
	}
	return best
}
