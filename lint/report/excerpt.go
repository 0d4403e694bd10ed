package report

import (
	"slices"
	"strings"

	"threeway/merge/text/markdown"
)

// longestDiff is how much of the difference of one object a comment has, in bytes, so
// that there is room for the others. If there is not, they all get less, down to about
// shortestDiff, before one is left out.
const longestDiff, shortestDiff = 8192, 600

// body is what is folded below an object's line, with texts that can be shortened.
type body struct {
	before   markdown.Text
	excerpts []excerpt
	after    markdown.Text
}

// excerpt is a text of which the first lines may be enough, in a language.
type excerpt struct {
	language markdown.Text
	text     string
}

// text is the body with so many bytes of each excerpt.
func (b body) text(longest int) markdown.Text {
	parts := []markdown.Text{b.before}
	for _, x := range b.excerpts {
		parts = append(parts, markdown.Fenced(x.language, shortened(x.text, longest))+"\n")
	}
	return markdown.Join(append(parts, b.after), "")
}

// size is about how long text is.
func (b body) size(longest int) int {
	const fence = 24
	n := len(b.before) + len(b.after)
	for _, x := range b.excerpts {
		n += fence + min(len(x.text), longest)
	}
	return n
}

// lines counts those of the excerpts.
func (b body) lines() (n int) {
	for _, x := range b.excerpts {
		n += strings.Count(x.text, "\n")
	}
	return n
}

// longestExcerpt is how long an excerpt may be so that there is room for all of a list. What is
// shorter leaves room to the others.
func (d *document) longestExcerpt(list []fold) int {
	const folded = 72
	room := d.room()
	var lengths []int
	for _, f := range list {
		room -= f.body.size(0) + len(f.summary) + folded
		for _, x := range f.body.excerpts {
			lengths = append(lengths, len(x.text))
		}
	}
	slices.Sort(lengths)
	for i, n := range lengths {
		if share := room / (len(lengths) - i); n > share {
			return min(max(share, shortestDiff), longestDiff)
		}
		room -= n
	}
	return longestDiff
}

// shortened is a text without the lines that are too many.
func shortened(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	end := strings.LastIndexByte(text[:longest], '\n') + 1
	if end == 0 {
		return strings.ToValidUTF8(text[:longest], "") + "…\n"
	}
	return text[:end] + " … and " + plural(strings.Count(text[end:], "\n"), "more line") + "\n"
}
