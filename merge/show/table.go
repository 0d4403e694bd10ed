package show

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"threeway/merge/text/columns"
	"threeway/merge/text/visible"
)

// table is fields of objects in the same columns: one head for all, and below it each
// object with its rows.
type table struct {
	head   []string
	blocks []block
}

type block struct {
	title string
	rows  []tableRow
	lines []string // below the rows
}

// tableRow is a field in a table: what comes before it, which is padded, and its values.
type tableRow struct {
	cells         []string
	field, values string
}

// tones are those of words in the first column.
var tones = map[string]Style{
	"undoes": Changed, "takes": Changed, "changes": Changed, "unknown": Changed,
	"conflicts": Removal, "rejected": Removal, "removes": Removal,
	"keeps": Muted, "shares": Muted, "leaves": Muted,
}

// write writes the table. What is longer than the terminal goes on below its field.
func (t table) write(out *bufio.Writer, opts Options) {
	widths, any := make([]int, len(t.head)), false
	for _, b := range t.blocks {
		for _, r := range b.rows {
			any = true
			for i, cell := range r.cells {
				widths[i] = max(widths[i], columns.Width(t.head[i]), columns.Width(visible.Line(cell)))
			}
		}
	}
	line := func(r tableRow, head bool) {
		left, indent := "", 2
		for i, cell := range r.cells {
			cell = pad(visible.Line(cell), widths[i]) + "  "
			if indent += columns.Width(cell); i == 0 && !head {
				cell = opts.paint(tones[strings.TrimSpace(cell)], cell)
			}
			left += cell
		}
		text, paint := visible.Line(r.field), row{values: r.values, style: Changed}.paintValues(opts)
		if r.values != "" {
			text += ": "
		}
		if opts.Width > 0 && (indent+columns.Width(text) > opts.Width || indent > opts.Width/2) && indent+columns.Width(text+r.values) > opts.Width && !head {
			fmt.Fprintln(out, "  "+strings.TrimRight(left, " "))
			left, indent = "  ", 4
		}
		for i, part := range columns.Fold(text+visible.Line(r.values), max(opts.Width-indent, 0), 0) {
			switch rest, is := strings.CutPrefix(part, text); {
			case head:
				left, part = "", opts.paint(Muted, left+part)
			case i > 0:
				left, part = strings.Repeat(" ", indent-2), paint(part)
			case is:
				part = text + paint(rest)
			}
			fmt.Fprintln(out, "  "+left+part)
		}
	}
	if any {
		last := len(t.head) - 1
		field, values, _ := strings.Cut(t.head[last], ": ")
		line(tableRow{t.head[:last], field, values}, true)
	}
	for i, b := range t.blocks {
		if (any || i > 0) && !t.alike(i-1) {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, b.title)
		for _, r := range b.rows {
			line(r, false)
		}
		if t.alike(i) {
			continue
		}
		for _, l := range b.lines {
			fmt.Fprintln(out, "  "+l)
		}
	}
}

// alike reports whether the same lines are all there is to say of an object and the next
// one, so that they stand below both.
func (t table) alike(i int) bool {
	if i < 0 || i+1 >= len(t.blocks) {
		return false
	}
	a, b := t.blocks[i], t.blocks[i+1]
	return a.rows == nil && b.rows == nil && slices.Equal(a.lines, b.lines)
}
