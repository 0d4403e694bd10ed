package editor

import (
	"slices"
	"strings"

	"threeway/merge/manifest"
)

// usable is the text of a file to rehearse with: its own, or, while a document in it is
// half typed, its own with that document as it was before. lines says where each line of
// it is in the file.
type usable struct {
	used string
	// lines is nil if the text is that of the file. Otherwise it has the line in the
	// file of each line, both from 0; -1 if it is not there.
	lines []int
	// whole says that every document of it could be read.
	whole bool
	// problems are those of the text in the file that stand for what could not be read.
	problems []manifest.Problem
}

// own reports whether the text is that of the file.
func (u usable) own() bool { return u.lines == nil }

// line is the line in the file, from 0.
func (u usable) line(n int) (int, bool) {
	if u.own() {
		return n, true
	}
	if n < 0 || n >= len(u.lines) || u.lines[n] < 0 {
		return 0, false
	}
	return u.lines[n], true
}

// back is the line of the text that a line in the file is, both from 0.
func (u usable) back(n int) (int, bool) {
	if u.own() {
		return n, true
	}
	i := slices.Index(u.lines, n)
	return i, i >= 0
}

// readableOf finds the text to rehearse with. before is the newest readable text of the
// file. If nothing can be made of it, the text of the file itself is used, and lint says
// what is wrong with it.
func readableOf(file, text, before string) usable {
	bad := unread(file, text)
	if len(bad) == 0 || before == "" {
		return usable{used: text, whole: len(bad) == 0}
	}
	if u, ok := patched(file, text, before); ok {
		u.problems, u.whole = bad, true
		return u
	}
	u := usable{used: before, problems: bad, whole: true}
	u.lines = aligned(nil, 0, strings.SplitAfter(before, "\n"), strings.SplitAfter(text, "\n"))
	return u
}

// unread are the problems after which the rest of a file is not read, or a document of
// it is not known to be an object.
func unread(file, text string) []manifest.Problem {
	set := manifest.ReadFiles([]manifest.File{{Name: file, Data: []byte(text)}}, manifest.Limits{})
	return slices.DeleteFunc(set.Problems, func(p manifest.Problem) bool {
		known := p.Object != nil && p.Object.Kind.Kind != "" && p.Object.Kind.Version != ""
		return p.Severity != manifest.Error || known
	})
}

// patched is the text with the documents that cannot be read as they were before. ok is
// false if that cannot be read either.
func patched(file, text, before string) (u usable, ok bool) {
	now, was := documents(text), documents(before)
	var b strings.Builder
	u.lines = []int{}
	line := 0
	for i, doc := range now {
		here := strings.SplitAfter(doc, "\n")
		if here[len(here)-1] == "" {
			here = here[:len(here)-1]
		}
		use := here
		if bad := len(unread(file, doc)) > 0; bad {
			use = nil
			if len(now) == len(was) {
				use = strings.SplitAfter(was[i], "\n")
				if use[len(use)-1] == "" {
					use = use[:len(use)-1]
				}
			} else if i > 0 {
				use = []string{"---\n"}
			}
			u.lines = aligned(u.lines, line, use, here)
		} else {
			for n := range here {
				u.lines = append(u.lines, line+n)
			}
		}
		b.WriteString(strings.Join(use, ""))
		line += len(here)
	}
	u.used = b.String()
	return u, len(unread(file, u.used)) == 0
}

// documents divides a text into its documents, each with the line --- before it.
func documents(text string) (list []string) {
	begin := 0
	for at := 0; at < len(text); {
		if strings.HasPrefix(text[at:], "---") && at > begin {
			list = append(list, text[begin:at])
			begin = at
		}
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	return append(list, text[begin:])
}

// aligned adds to lines where the lines of an older text are in a newer one, which
// begins at a line: those before and after what has changed.
func aligned(lines []int, from int, older, newer []string) []int {
	head := 0
	for head < min(len(older), len(newer)) && older[head] == newer[head] {
		head++
	}
	tail := 0
	for tail < min(len(older), len(newer))-head && older[len(older)-1-tail] == newer[len(newer)-1-tail] {
		tail++
	}
	for i := range older {
		switch {
		case i < head:
			lines = append(lines, from+i)
		case i >= len(older)-tail:
			lines = append(lines, from+len(newer)-(len(older)-i))
		default:
			lines = append(lines, -1)
		}
	}
	return lines
}
