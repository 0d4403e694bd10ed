package textdiff

// side is one of the two texts in the comparison: the lines between the equal
// ends, each as the number of its class of equal lines.
type side struct {
	class   []int32
	flags   []bool  // one per line, and an unset one at each end
	kept    []int32 // classes of the lines in the search
	line    []int32 // their indexes in class
	matches []int32 // by class, its number of lines
}

func (s *side) changed(line int) bool   { return s.flags[line+1] }
func (s *side) set(line int, flag bool) { s.flags[line+1] = flag }

// compare returns the script from old to new, which differ (diff_2_files). The
// context matters here too: diff keeps that many lines of the equal ends in the
// comparison, and changes may slide into them.
func compare(old, new []string, context int) []change {
	start := 0
	for start < len(old) && start < len(new) && old[start] == new[start] {
		start++
	}
	start = max(0, start-context)
	tail, longest := 0, min(len(old), len(new))-start
	for tail < longest && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	tail = max(0, tail-context)
	a, b := classify(old[start:len(old)-tail], new[start:len(new)-tail])
	setAside(a, b)
	newSearch(a, b).run()
	slide(a, b)
	slide(b, a)
	return script(a, b, start)
}

// classify numbers the lines so that equal lines have equal numbers.
func classify(old, new []string) (a, b *side) {
	m, n := len(old), len(new)
	ints := make([]int32, 5*(m+n))
	take := func(n int) []int32 {
		part := ints[:n:n]
		ints = ints[n:]
		return part
	}
	a = &side{class: take(m), flags: make([]bool, m+2), kept: take(m), line: take(m)}
	b = &side{class: take(n), flags: make([]bool, n+2), kept: take(n), line: take(n)}
	classes := make(map[string]int32, m+n/4)
	number := func(lines []string, class []int32) {
		for i, l := range lines {
			c, known := classes[l]
			if !known {
				c = int32(len(classes))
				classes[l] = c
			}
			class[i] = c
		}
	}
	number(old, a.class)
	number(new, b.class)
	a.matches, b.matches = take(len(classes)), take(len(classes))
	for _, c := range a.class {
		a.matches[c]++
	}
	for _, c := range b.class {
		b.matches[c]++
	}
	return a, b
}

// script returns the changes that the flags mark (build_script); start is the
// number of lines before the first one compared.
func script(a, b *side, start int) []change {
	count := 0
	scan(a, b, func(change) { count++ })
	changes := make([]change, 0, count)
	scan(a, b, func(c change) {
		c.old += start
		c.new += start
		changes = append(changes, c)
	})
	return changes
}

func scan(a, b *side, found func(change)) {
	for i, j := 0, 0; i < len(a.class) || j < len(b.class); i, j = i+1, j+1 {
		c := change{old: i, new: j}
		for a.changed(i) {
			i++
		}
		for b.changed(j) {
			j++
		}
		if c.removed, c.added = i-c.old, j-c.new; c.removed+c.added > 0 {
			found(c)
		}
	}
}
