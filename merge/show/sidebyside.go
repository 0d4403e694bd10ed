package show

import (
	"bufio"
	"io"
	"strings"

	"threeway/merge"
	"threeway/merge/text/columns"
	"threeway/merge/text/textdiff"
)

// defaultWidth is that of diff -y.
const defaultWidth = 130

// SideBySide writes the live texts on the left and the merged ones on the
// right, with | between lines that differ, and < or > where one side has none.
// What is too long for its side goes on in the next line, unless it is the same
// on both: then it is cut.
func SideBySide(w io.Writer, plan *merge.Plan, opts Options) (differ bool, err error) {
	if opts.Width == 0 {
		opts.Width = defaultWidth
	}
	side := max((opts.Width-3)/2, 1)
	files := named(plan)
	return inParts(w, opts.Cores, len(files), "\n", func(out *bufio.Writer, i int) {
		f := files[i]
		if !f.differing(opts) {
			return
		}
		live, merged := "LIVE/"+f.Name, "MERGED/"+f.Name
		writeBeside(out, side, ' ', cell{text: live, style: Header}, cell{text: merged, style: Header}, opts)
		for _, h := range textdiff.Unified(f.Live, f.Merged, opts.Context) {
			out.WriteString(opts.paint(HunkHeader, h.Header()) + "\n")
			writeRows(out, side, h, opts)
		}
		writeWhy(out, f, opts)
	})
}

func writeRows(out *bufio.Writer, side int, h textdiff.Hunk, opts Options) {
	words := h.Words()
	for _, r := range h.Rows() {
		var old, new cell
		if r.Old >= 0 {
			old = cell{h.Lines[r.Old].Text, Removal, RemovedWord, words[r.Old]}
		}
		if r.New >= 0 {
			new = cell{h.Lines[r.New].Text, Addition, AddedWord, words[r.New]}
		}
		sign := '|'
		switch {
		case r.Old == r.New:
			sign = ' '
			old = cell{text: cut(h.Lines[r.Old].Text, side)}
			new = old
		case r.Old < 0:
			sign = '>'
		case r.New < 0:
			sign = '<'
		}
		writeBeside(out, side, sign, old, new, opts)
	}
}

// cell is a line on one side, and the spans of it that changed.
type cell struct {
	text        string
	style, word Style
	spans       []textdiff.Span
}

func writeBeside(out *bufio.Writer, side int, sign rune, left, right cell, opts Options) {
	a, b := left.fold(side, opts), right.fold(side, opts)
	for i := range max(len(a), len(b)) {
		var x, y part
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		line := x.painted + strings.Repeat(" ", side-x.width) + " " + string(sign) + " " + y.painted
		if y.width == 0 {
			line = strings.TrimRight(line, " ")
		}
		out.WriteString(line + "\n")
	}
}

func cut(text string, side int) string {
	if columns.Width(text) <= side {
		return text
	}
	head, _ := columns.Cut(text, side-1)
	return head + "…"
}

// part is as much of a line as fits on its side.
type part struct {
	painted string
	width   int
}

// fold breaks a line into parts. Tabs become blanks: how wide they are depends
// on where they are.
func (c cell) fold(side int, opts Options) (parts []part) {
	at := 0
	for rest := c.text; rest != "" || parts == nil; {
		var head string
		head, rest = columns.Cut(rest, side)
		parts = append(parts, part{c.paint(at, at+len(head), opts), columns.Width(head)})
		at += len(head)
	}
	return parts
}

// paint is the text from one offset to another.
func (c cell) paint(from, to int, opts Options) string {
	var b strings.Builder
	put := func(style Style, from, to int) {
		if from < to {
			b.WriteString(opts.paint(style, strings.ReplaceAll(c.text[from:to], "\t", " ")))
		}
	}
	for _, s := range c.spans {
		if s.End <= from || s.Start >= to {
			continue
		}
		put(c.style, from, s.Start)
		put(c.word, max(from, s.Start), min(to, s.End))
		from = min(to, s.End)
	}
	put(c.style, from, to)
	return b.String()
}
