package report

import (
	"bufio"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/show"
	"threeway/merge/text/markdown"
	"threeway/merge/text/visible"
)

// mostRows is how many fields of an object are shown without a diff.
const mostRows = 8

// actionSigns are those of what happens to an object.
var actionSigns = map[string]struct {
	sign  markdown.Text
	style Style
}{
	string(rehearsal.Created): {"+", Place}, "pruned": {"-", Place}, changed: {"~", Place}, removed: {"-", Place},
	string(rehearsal.Rejected): {"✗", ErrorWord}, string(rehearsal.NotApplied): {"✗", ErrorWord},
}

// told is what the report says of objects besides what changes. What is left out there stays here.
func (r *Review) told(opts Options) (told show.Told) {
	for _, d := range untold(r.Diff.Digest.Dangers(), opts.listed(r.Lint)) {
		shared, _ := some(d)
		for _, s := range shared {
			told.Say(s.Text, s.Objects[:min(len(s.Objects), mostNamed)])
		}
	}
	for _, f := range opts.listed(r.Lint) {
		if f.Suppressed == "" {
			told.Add(f.Affected())
		}
	}
	return told
}

// texts are lines as text.
func texts(lines []show.Line) (list []string) {
	for _, line := range lines {
		list = append(list, line.String())
	}
	return list
}

// writeChanges writes what changes, the most dangerous first.
func writeChanges(out *bufio.Writer, r *Review, opts Options) {
	out.WriteString(strings.Join(r.changes(opts), ""))
}

// changes are the texts of what changes.
func (r *Review) changes(opts Options) (texts []string) {
	for _, s := range r.subjects(opts) {
		if s.name != "" && s.action != "" && s.action != string(rehearsal.Unchanged) {
			texts = append(texts, written(func(out *bufio.Writer) { s.write(out, r, opts) }))
		}
	}
	return texts
}

// write writes what happens to an object, and to those of its kind to which the same happens.
func (s *subject) write(out *bufio.Writer, r *Review, opts Options) {
	if s.file != nil && s.file.Candidate != nil {
		out.WriteString(show.Candidate(*s.file.Candidate, r.Diff))
		return
	}
	sign := actionSigns[s.action]
	out.WriteString(opts.painted(sign.style, s.head(string(sign.sign))))
	out.WriteString(s.effect(r, opts))
	if opts.Diffs {
		out.WriteByte('\n')
	}
}

// effect is what the apply does to an object, as text: the fields that change with what that
// does, or the difference.
func (s *subject) effect(r *Review, opts Options) string {
	var b strings.Builder
	write := func(text string) { b.WriteString(opts.line("    ", text)) }
	var rows []show.Row
	rest := s.impact
	if s.action == changed && s.file != nil && !opts.Diffs {
		rows, rest = r.Diff.Digest.Rows(s.name, s.impact)
	}
	for _, row := range mostTelling(rows) {
		write(s.row(row))
	}
	if more := len(rows) - mostRows; more > 0 {
		write("… and " + plural(more, "more field") + "; -U 3 shows the diff")
	}
	for _, line := range rest {
		write(s.line(line))
	}
	if s.file != nil && s.file.Outcome != nil && (opts.Diffs || s.action == changed && rows == nil) {
		if n := s.long(r); n > 0 {
			write(plural(n, "line") + " (see threeway diff)")
		} else {
			b.WriteString(s.hunks(r).text)
		}
	}
	return b.String() + s.refusal
}

// mostTelling are the rows to show, in their order: of too many those of images and those with a
// consequence before others.
func mostTelling(rows []show.Row) (shown []show.Row) {
	others := mostRows
	for _, row := range rows {
		if row.Tells() {
			others--
		}
	}
	for _, row := range rows {
		if !row.Tells() {
			if others--; others < 0 {
				continue
			}
		}
		shown = append(shown, row)
	}
	return shown[:min(len(shown), mostRows)]
}

// row and line are those of the object as text, or as all that share them have them.
func (s *subject) row(row show.Row) string {
	if s.same == nil {
		return row.String()
	}
	return row.Alike()
}

func (s *subject) line(line show.Line) string {
	if s.same == nil {
		return line.String()
	}
	return line.Text
}

// head names what the same happens to: ~ Deployment shop/web (deploy/web.yaml:1), or
// ~ 3 Deployments: shop/a, shop/b, shop/c.
func (s *subject) head(sign string) string {
	text := strings.TrimSpace(sign + " " + manifest.Title(s.name))
	if s.same != nil {
		count, names := s.each()
		return sign + " " + count + ": " + names
	}
	if s.action != changed && s.action != "" {
		text += " " + s.action
	}
	if s.place != "" {
		text += " (" + visible.Joined(s.place) + ")"
	}
	return text
}
