package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"threeway/merge/text/visible"
)

// longestComment is how long a comment gets, in bytes. GitHub takes 65,536
// characters; the rest is for what a job adds, such as a link to its artifacts.
const longestComment = 65000

// document is Markdown that a service takes: blocks that would make it too long
// are left out and counted.
type document struct {
	b    strings.Builder
	left []leftOut
}

type leftOut struct {
	n    int
	noun string
}

// reserve is room for the line that says what is left out.
const reserve = 512

// try appends a block if there is room, and reports whether there was.
func (d *document) try(block string) bool {
	if d.b.Len()+len(block) > longestComment-reserve {
		return false
	}
	d.b.WriteString(block)
	return true
}

// add appends a block, or counts it as left out.
func (d *document) add(noun, block string) {
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
func (d *document) table(noun, title, head string, rows []string, open bool) {
	begin, end := "#### "+title+"\n\n"+head, "\n"
	if !open && len(rows) > longestTable {
		begin, end = "<details><summary>"+title+"</summary>\n\n"+head, "\n</details>\n"
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
	d.b.WriteString(end)
}

func (d *document) writeTo(w io.Writer) error {
	var left []string
	for _, l := range d.left {
		left = append(left, plural(l.n, l.noun))
	}
	if left != nil {
		fmt.Fprintf(&d.b, "\n**Truncated** at %d characters, to fit into a comment. Left out: %s. For the whole report use `-o text` or `-o json`.\n",
			longestComment, strings.Join(left, ", "))
	}
	_, err := io.WriteString(w, d.b.String())
	return err
}

// unseen is a space of no width. After an @ or # it keeps GitHub and GitLab from
// linking a user or an issue, which they look for in the rendered text, where a
// backslash or an entity is gone (https://github.com/github/markup/issues/1168).
const unseen = "&#8203;"

// escape keeps text from being Markdown, HTML, a link, a mention or a reference,
// or a table's border. What a service looks for in the rendered text has a space
// of no width in it: addresses (https://, www.), users and issues, and GitLab's
// !1, $1, %1, ~x, &1 and :emoji:.
func escape(s string) string {
	var b strings.Builder
	text := []rune(oneLine(s))
	for i, r := range text {
		switch r {
		case '\\', '`', '*', '_', '[', ']', '|':
			b.WriteByte('\\')
			b.WriteRune(r)
			continue
		case '<':
			b.WriteString("&lt;")
			continue
		case '>':
			b.WriteString("&gt;")
			continue
		case '#', '~', '!':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '&':
			b.WriteString("&amp;")
		default:
			b.WriteRune(r)
		}
		if linking(text[:i+1], text[i+1:]) {
			b.WriteString(unseen)
		}
	}
	return b.String()
}

// linking reports whether a service may make a link of the text before and
// after, unless something is between.
func linking(before, after []rune) bool {
	next := func(at func(rune) bool) bool { return len(after) > 0 && at(after[0]) }
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '"' || r == '_' }
	ends := func(text string) bool {
		return len(before) >= len(text) && strings.EqualFold(string(before[len(before)-len(text):]), text)
	}
	switch before[len(before)-1] {
	case '@', '#':
		return true
	case '!', '$', '%', '~', '&':
		return next(word)
	case ':':
		return strings.HasPrefix(string(after[:min(2, len(after))]), "//") || ends("mailto:") || ends("xmpp:") || emoji(after)
	case 'w', 'W':
		return ends("www") && next(func(r rune) bool { return r == '.' })
	}
	return false
}

// emoji reports whether the rest of :name: follows.
func emoji(after []rune) bool {
	letters := false
	for _, r := range after {
		if r == ':' {
			return letters
		}
		letters = letters || unicode.IsLower(r)
		if !unicode.IsLower(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_+-", r) {
			return false
		}
	}
	return false
}

// code is text as inline code in a cell of a table.
func code(s string) string {
	if s == "" {
		return ""
	}
	s = strings.ReplaceAll(oneLine(s), "|", "\\|")
	ticks := strings.Repeat("`", longestTicks(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// html is text in HTML, of which no service makes a link either.
func html(s string) string {
	var b strings.Builder
	text := []rune(oneLine(s))
	for i, r := range text {
		b.WriteString(escapeHTML.Replace(string(r)))
		if linking(text[:i+1], text[i+1:]) {
			b.WriteString(unseen)
		}
	}
	return b.String()
}

var escapeHTML = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// fenced is text as a block of code, whose lines are those of the text by every
// service: GitLab deletes carriage returns. No line begins with a slash: bots, and
// GitLab behind a fence of more than three backticks, take such a line of a
// comment for a command.
func fenced(language, s string) string {
	s = visible.Text(s)
	s = strings.TrimPrefix(strings.ReplaceAll("\n"+s, "\n/", "\n /"), "\n")
	fence := strings.Repeat("`", max(3, longestTicks(s)+1))
	return fence + language + "\n" + strings.TrimSuffix(s, "\n") + "\n" + fence + "\n"
}

func longestTicks(s string) (longest int) {
	n := 0
	for _, r := range s {
		if r == '`' {
			n++
		} else {
			n = 0
		}
		longest = max(longest, n)
	}
	return longest
}

// folded is a part of a comment that opens when it is clicked at. The summary
// is HTML.
func folded(summary, body string) string {
	return "<details><summary>" + summary + "</summary>\n\n" + body + "\n</details>\n"
}

// row is a row of a table, of cells that are Markdown.
func row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

// head is the head of a table with these columns.
func head(names ...string) string {
	return row(names...) + "|" + strings.Repeat("---|", len(names)) + "\n"
}
