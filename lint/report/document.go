package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"threeway/merge/text/markdown"
)

// longestComment is how long a comment gets, in bytes. GitHub takes 65,536
// characters; the rest is for what a job adds, such as a link to its artifacts.
const longestComment = 65000

// document is Markdown that a service takes: blocks that would make it too long
// are left out and counted.
type document struct {
	b    strings.Builder
	left []leftOut
	// last is the end, which has its room: a change cannot crowd out what is said of it.
	last markdown.Text
	// longest is longestComment, or what a part of one may have; 0 is all.
	longest int
}

func (d *document) most() int { return cmp.Or(d.longest, longestComment) }

type leftOut struct {
	n    int
	noun string
}

// reserve is room for the line that says what is left out.
const reserve = 512

// try appends a block if there is room, and reports whether there was.
func (d *document) try(block markdown.Text) bool {
	if d.b.Len()+len(block)+len(d.last) > d.most()-reserve {
		return false
	}
	d.b.WriteString(string(block))
	return true
}

// add appends a block, or counts it as left out.
func (d *document) add(noun string, block markdown.Text) {
	if !d.try(block) {
		d.leave(noun, 1)
	}
}

func (d *document) leave(noun string, n int) {
	for i := range d.left {
		if d.left[i].noun == noun {
			d.left[i].n += n
			return
		}
	}
	d.left = append(d.left, leftOut{n, noun})
}

// longestTable is how many rows a table has that is not folded.
const longestTable = 10

// table appends a table with its title, row by row. Unless it is to be open, a
// long one is folded.
func (d *document) table(noun string, title, head markdown.Text, rows []markdown.Text, open bool) {
	begin, end := "#### "+title+"\n\n"+head, markdown.Text("\n")
	if !open && len(rows) > longestTable {
		begin, end = "<details><summary>"+title+"</summary>\n\n"+head, "\n</details>\n\n"
	}
	if len(rows) == 0 {
		return
	}
	if !d.try(begin + rows[0]) {
		d.leave(noun, len(rows))
		return
	}
	for _, row := range rows[1:] {
		d.add(noun, row)
	}
	d.b.WriteString(string(end))
}

func (d *document) writeTo(w io.Writer) error {
	d.b.WriteString(string(d.last))
	var left []string
	for _, l := range d.left {
		left = append(left, plural(l.n, l.noun))
	}
	if left != nil {
		fmt.Fprintf(&d.b, "\n**Truncated** at %d characters, to fit into a comment. Left out: %s. For the whole report use `-o text` or `-o json`.\n",
			d.most(), strings.Join(left, ", "))
	}
	_, err := io.WriteString(w, d.b.String())
	return err
}
