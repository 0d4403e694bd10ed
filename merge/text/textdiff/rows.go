package textdiff

// Row is a line of a hunk next to the line that replaced it: indexes of
// h.Lines, -1 for none.
type Row struct{ Old, New int }

// Rows arranges the hunk's lines in two columns. An unchanged line is in both
// columns.
func (h Hunk) Rows() []Row {
	var rows []Row
	for i := 0; i < len(h.Lines); {
		if h.Lines[i].Kind == Same {
			rows = append(rows, Row{i, i})
			i++
			continue
		}
		removed, added, end := h.run(i)
		o, n := removed, added
		for _, p := range append(pairs(h.Lines[removed:added], h.Lines[added:end]), [2]int{added - removed, end - added}) {
			for ; o < removed+p[0]; o++ {
				rows = append(rows, Row{o, -1})
			}
			for ; n < added+p[1]; n++ {
				rows = append(rows, Row{-1, n})
			}
			if o < added && n < end {
				rows = append(rows, Row{o, n})
				o, n = o+1, n+1
			}
		}
		i = end
	}
	return rows
}

// run returns where the removed lines from i on begin, where the added lines
// after them begin, and where these end.
func (h Hunk) run(i int) (removed, added, end int) {
	removed = i
	for i < len(h.Lines) && h.Lines[i].Kind == Removed {
		i++
	}
	added = i
	for i < len(h.Lines) && h.Lines[i].Kind == Added {
		i++
	}
	return removed, added, i
}
