// Package markdown makes Markdown, as services and editors show it, from values.
// What comes from a file becomes a Text only by a function that escapes it.
package markdown

import (
	"net/url"
	"strings"

	"threeway/merge/text/visible"
)

// Text is Markdown. A constant of our source is one; a test keeps other packages
// from converting anything else (fixtures/repository/markdown_test.go).
type Text string

// Ours is Markdown of our own source that is no constant, such as the words of a
// rule. Its few callers are listed in fixtures/repository/markdown_test.go.
func Ours(text string) Text { return Text(text) }

// Link is a link to the address of a page; what else opens something is no link.
func Link(label, address string) Text {
	return LinkTo(Escape(label), address)
}

// LinkTo is Link with Markdown as its label.
func LinkTo(label Text, address string) Text {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return label
	}
	return "[" + label + "](<" + Text(u.String()) + ">)"
}

// Join puts a separator between texts.
func Join(list []Text, separator Text) Text {
	var b strings.Builder
	for i, text := range list {
		if i > 0 {
			b.WriteString(string(separator))
		}
		b.WriteString(string(text))
	}
	return Text(b.String())
}

// unseen is a space of no width. After an @ or # it keeps GitHub and GitLab from
// linking a user or an issue, which they look for in the rendered text, where a
// backslash or an entity is gone (https://github.com/github/markup/issues/1168).
const unseen = "&#8203;"

// Escape keeps a text from being Markdown, HTML, a formula, a link, a mention or
// a reference, the marker of a list or a table's border. What a service looks for
// in the rendered text has a space of no width in it: addresses (https://, www.),
// users and issues, and what linking has.
func Escape(s string) Text {
	var b strings.Builder
	text := []rune(visible.Joined(s))
	marker := marker(text)
	for i, r := range text {
		switch {
		case r == '$': // \$ is part of a formula
			b.WriteString("&#36;")
		case r == ' ' && i == 0:
			b.WriteString("&#32;")
		case strings.ContainsRune("<>&", r):
			b.WriteString(escapeHTML.Replace(string(r)))
		case i == marker || strings.ContainsRune("\\`*_[]|#~!", r):
			b.WriteByte('\\')
			fallthrough
		default:
			b.WriteRune(r)
		}
		if linking(text[:i+1], text[i+1:]) {
			b.WriteString(unseen)
		}
	}
	return Text(b.String())
}

// marker is the index of what would make the text the item of a list, a line
// below a heading or a command for a bot, otherwise -1.
func marker(text []rune) int {
	i := 0
	for i < len(text) && text[i] >= '0' && text[i] <= '9' {
		i++
	}
	switch {
	case i == len(text):
	case i == 0 && strings.ContainsRune("-+=/", text[0]), i > 0 && strings.ContainsRune(".)", text[i]):
		return i
	}
	return -1
}

// Code is a text as code within a line or the cell of a table.
func Code(s string) Text {
	s = visible.Joined(s)
	if s == "" {
		return ""
	}
	// A table takes a backslash before a border away first, also one in code that
	// follows another.
	if strings.Contains(s, "|") {
		return "<code>" + Escape(s) + "</code>"
	}
	ticks := strings.Repeat("`", longestTicks(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return Text(ticks + s + ticks)
}

// HTML is a text in HTML, of which no service makes a link either.
func HTML(s string) Text {
	var b strings.Builder
	text := []rune(visible.Joined(s))
	for i, r := range text {
		if strings.ContainsRune("<>&$", r) {
			b.WriteString(escapeHTML.Replace(string(r)))
		} else {
			b.WriteRune(r)
		}
		if linking(text[:i+1], text[i+1:]) {
			b.WriteString(unseen)
		}
	}
	return Text(b.String())
}

var escapeHTML = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "$", "&#36;")

// Fenced is a text as a block of code, whose lines are those of the text by every
// service: GitLab deletes carriage returns. No line begins with a slash: bots, and
// GitLab behind a fence of more than three backticks, take such a line of a
// comment for a command.
func Fenced(language Text, s string) Text {
	s = visible.Text(s)
	s = strings.TrimPrefix(strings.ReplaceAll("\n"+s, "\n/", "\n /"), "\n")
	fence := Text(strings.Repeat("`", max(3, longestTicks(s)+1)))
	return fence + language + "\n" + Text(strings.TrimSuffix(s, "\n")) + "\n" + fence + "\n"
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

// Listed is a list of texts.
func Listed(items []string) (list Text) {
	for _, item := range items {
		list += "- " + Escape(item) + "\n"
	}
	return list
}

// Folded is a part of a comment that opens when it is clicked at. The summary
// is HTML.
func Folded(summary, body Text) Text {
	return "<details><summary>" + summary + "</summary>\n\n" + body + "\n</details>\n\n"
}

// Opened is the same, but open.
func Opened(summary, body Text) Text {
	return "<details open>" + Text(strings.TrimPrefix(string(Folded(summary, body)), "<details>"))
}

// Alert is text that GitHub and GitLab set off by its kind: NOTE, WARNING or CAUTION.
func Alert(kind, text Text) Text {
	return "> [!" + kind + "]\n> " + Text(strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", "\n> ")) + "\n\n"
}

// Row is a row of a table.
func Row(cells ...Text) Text { return "| " + Join(cells, " | ") + " |\n" }

// Head is the head of a table with these columns.
func Head(names ...Text) Text {
	return Row(names...) + "|" + Text(strings.Repeat("---|", len(names))) + "\n"
}
