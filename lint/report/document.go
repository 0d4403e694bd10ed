package report

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"threeway/lint"
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
	// files and directory are those of the Options.
	files, directory string
}

// place is a line of a file, as a link if its commit has an address.
func (d *document) place(file string, line int) markdown.Text {
	return d.link(markdown.Code(lint.At(file, line)), file, line)
}

// link leads from a text to a line of a file, if its commit has an address.
func (d *document) link(text markdown.Text, file string, line int) markdown.Text {
	from := path.Join(d.directory, file)
	if d.files == "" || file == "" || path.IsAbs(file) || !filepath.IsLocal(from) {
		return text
	}
	return markdown.LinkTo(text, d.files+(&url.URL{Path: from}).EscapedPath()+"#L"+strconv.Itoa(line))
}

// detail is what can be folded open, and its line alone; size is about its length before it
// was shortened.
type detail struct {
	whole, line markdown.Text
	size        int
}

// details adds what there is room for in its order: the lines of all, and whole those that
// are the shortest.
func (d *document) details(list []detail) {
	room := d.room()
	for _, x := range list {
		room -= len(x.line)
	}
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(list[a].size, list[b].size) })
	whole := make([]bool, len(list))
	for _, i := range order {
		if more := len(list[i].whole) - len(list[i].line); more <= room {
			room, whole[i] = room-more, true
		}
	}
	for i, x := range list {
		if whole[i] && d.try(x.whole) {
			continue
		}
		d.leave("object's detail", 1)
		d.add("object", x.line)
	}
}

func (d *document) room() int { return d.most() - reserve - d.b.Len() - len(d.last) }

func (d *document) most() int { return cmp.Or(d.longest, longestComment) }

type leftOut struct {
	n    int
	noun string
}

// reserve is room for the line that says what is left out.
const reserve = 512

// try appends a block if there is room, and reports whether there was.
func (d *document) try(block markdown.Text) bool {
	if len(block) > d.room() {
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

// longestShare is the part of a comment that one table may take where others and differences
// need room, too.
const longestShare = 4

// longestTable is how many rows a table has that is not folded.
const longestTable = 10

// table appends a table with its title, row by row, which may take so great a share of the
// comment. Unless it is to be open, a long one is folded.
func (d *document) table(noun string, title markdown.Text, rows []markdown.Text, open bool, share int) {
	begin, end := "#### "+title+"\n\n", markdown.Text("\n")
	if !open && len(rows) > longestTable {
		begin, end = "<details><summary>"+title+"</summary>\n\n", "\n</details>\n\n"
	}
	if len(rows) == 0 {
		return
	}
	if !d.try(begin + rows[0]) {
		d.leave(noun, len(rows))
		return
	}
	limit := d.b.Len() + d.most()/share
	for _, row := range rows[1:] {
		if d.b.Len()+len(row) > limit {
			d.leave(noun, 1)
			continue
		}
		d.add(noun, row)
	}
	d.b.WriteString(string(end))
}

func (d *document) writeTo(w io.Writer) error {
	d.b.WriteString(string(d.last))
	var left []string
	for _, l := range d.left {
		of, is := strings.CutSuffix(l.noun, "'s detail")
		if is {
			of = "the details of " + plural(l.n, of)
		} else {
			of = plural(l.n, of)
		}
		left = append(left, of)
	}
	if left != nil {
		fmt.Fprintf(&d.b, "\n**Truncated** at %d characters, to fit into a comment. Left out: %s. For the whole report use `-o text` or `-o json`.\n",
			d.most(), strings.Join(left, ", "))
	}
	_, err := io.WriteString(w, d.b.String())
	return err
}
