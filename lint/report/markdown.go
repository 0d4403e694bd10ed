package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"threeway/lint"
	diff "threeway/merge/report"
)

// Markdown writes a comment for a pull request: the counts, a table of findings
// for each severity, and the details folded.
func Markdown(w io.Writer, r *lint.Result, opts Options) error {
	d := &document{}
	d.add("heading", "### threeway lint\n\n")
	d.add("table", head("objects", "errors", "warnings", "info", "suppressed", "in the baseline")+
		row(numbers(r.Objects, r.Count(lint.Error), r.Count(lint.Warning), r.Count(lint.Info), len(r.Suppressed), r.Known)...)+"\n")
	findings := opts.listed(r)
	d.findings(findings)
	for _, f := range findings {
		d.detail(f)
	}
	d.input(r)
	return d.writeTo(w)
}

// ReviewMarkdown writes a comment for a pull request: the counts, a table of
// findings for each severity, and every object with its difference and the
// details of its findings folded.
func ReviewMarkdown(w io.Writer, r *Review, opts Options) error {
	plain := *r
	r, plain.Diff.Paint = &plain, nil
	d := &document{}
	c := diff.Count(r.Plan)
	d.add("heading", "### threeway review\n\n")
	d.add("line", "**"+escape(r.Diff.Impact.PlanLine())+"**\n\n")
	names := []string{"objects", "created", "configured", "unchanged", "rejected", "pruned", "removed", "errors", "warnings", "info"}
	counts := []int{c.Objects, c.Created, c.Configured, c.Unchanged, c.Rejected, c.Pruned, c.Removed, r.Lint.Count(lint.Error), r.Lint.Count(lint.Warning), r.Lint.Count(lint.Info)}
	if c.Stopped > 0 {
		names, counts = slices.Insert(names, 5, "not applied"), slices.Insert(counts, 5, c.Stopped)
	}
	d.add("table", head(names...)+row(numbers(counts...)...)+"\n")
	d.add("line", escape(diff.Rehearsed(r.Plan))+"\n\n")
	if lines := diff.Lacking(r.Plan, true); lines != nil {
		d.add("note", "**Not known**\n\n"+listed(lines)+"\n")
	}
	d.findings(opts.listed(r.Lint))
	for _, s := range r.subjects(opts) {
		summary := r.summary(s)
		if d.try(folded(summary, r.body(s))) {
			continue
		}
		d.leave("object's detail", 1)
		d.add("object", "<p>"+summary+"</p>\n")
	}
	d.list("Warnings", append(diff.Warnings(r.Plan, r.Diff), diff.Accidents(r.Plan)...))
	d.input(r.Lint)
	return d.writeTo(w)
}

// findings adds a table for each severity, the worst first. Two columns fit into
// the width of a comment, which breaks no line of code.
func (d *document) findings(list []*lint.Finding) {
	for _, severity := range []lint.Severity{lint.Error, lint.Warning, lint.Info} {
		var rows []string
		for _, f := range list {
			if f.Severity != severity {
				continue
			}
			message := escape(f.Message)
			if f.Clusters != nil {
				message += " (only " + escape(f.Only) + ")"
			}
			if f.Suppressed != "" {
				message += " (suppressed: " + escape(f.Suppressed) + ")"
			}
			where := code(fmt.Sprintf("%s:%d", f.At().File, f.At().Line))
			if f.Object != "" {
				where = code(f.Object) + "<br>" + where
			}
			rows = append(rows, row(where, message+"<br>"+code(f.Rule.ID)))
		}
		d.table("finding", plural(len(rows), severity.String()), head("object", "finding"), rows, severity == lint.Error)
	}
}

// input adds what could not be read, and what the run could not know.
func (d *document) input(r *lint.Result) {
	var problems []string
	for _, p := range r.Problems {
		problems = append(problems, p.String())
	}
	d.list("Problems with the input", problems)
	d.list("Not known in this run", append(Skipped(r, false), r.Notes...))
}

// list adds a folded list, if there is anything in it.
func (d *document) list(title string, items []string) {
	if len(items) > 0 {
		d.add("note", folded(html(title), listed(items)))
	}
}

func listed(items []string) string {
	var b strings.Builder
	for _, item := range items {
		b.WriteString("- " + escape(item) + "\n")
	}
	return b.String()
}

// unfolded is what there is to say of a finding besides its message.
func unfolded(f *lint.Finding) string {
	var b strings.Builder
	if source := f.At().Source; source != "" && !strings.HasSuffix(strings.TrimSpace(source), ":") { // a bare key says nothing
		b.WriteString(fenced("yaml", printable(f.At().Source)) + "\n")
	}
	for _, d := range details(f) {
		b.WriteString("- " + d[0] + ": " + escape(d[1]) + "\n")
	}
	return b.String()
}

// summary is the line of an object that can be folded open.
func (r *Review) summary(s *subject) string {
	text := "other findings"
	if s.name != "" {
		text = "<code>" + html(s.name) + "</code> " + s.action
	}
	if s.file != nil {
		_, added, removed := s.file.Hunks(r.Diff)
		text += fmt.Sprintf(" +%d −%d", added, removed)
	}
	for _, severity := range []lint.Severity{lint.Error, lint.Warning, lint.Info} {
		n := 0
		for _, f := range s.findings {
			if f.Severity == severity && f.Suppressed == "" {
				n++
			}
		}
		if n > 0 {
			text += ", " + plural(n, severity.String())
		}
	}
	return text
}

// longestDiff is how much of the difference of one object a comment has, in
// bytes, so that there is room for the others.
const longestDiff = 8192

// shortened is a difference without the lines that are too many.
func shortened(text string) string {
	if len(text) <= longestDiff {
		return text
	}
	end := strings.LastIndexByte(text[:longestDiff], '\n') + 1
	if end == 0 {
		return strings.ToValidUTF8(text[:longestDiff], "") + "…\n"
	}
	return text[:end] + " … and " + plural(strings.Count(text[end:], "\n"), "more line") + "\n"
}

// body is what is folded below an object's line.
func (r *Review) body(s *subject) string {
	var b strings.Builder
	for _, line := range s.impact {
		b.WriteString("- " + escape(line) + "\n")
	}
	if len(s.impact) > 0 {
		b.WriteByte('\n')
	}
	if s.file != nil {
		if c := s.file.Candidate; c != nil {
			b.WriteString(fenced("", diff.Candidate(*c, r.Diff)) + "\n")
		}
		text, _, _ := s.file.Hunks(r.Diff)
		b.WriteString(fenced("diff", shortened(text)) + "\n")
	}
	if s.refusal != "" {
		b.WriteString(fenced("", shortened(s.refusal)) + "\n")
	}
	for _, f := range s.findings {
		fmt.Fprintf(&b, "**%s** %s %s\n\n%s\n", f.Severity, code(f.Rule.ID), escape(f.Message), unfolded(f))
	}
	return b.String()
}

func numbers(list ...int) (cells []string) {
	for _, n := range list {
		cells = append(cells, strconv.Itoa(n))
	}
	return cells
}
