package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"threeway/lint"
	"threeway/merge/show"
	"threeway/merge/text/markdown"
)

// Markdown writes a comment for a pull request: the counts, a list of findings
// for each severity, and the details folded.
func Markdown(w io.Writer, r *lint.Result, opts Options) error {
	d := ending(r, opts)
	d.add("heading", "### threeway lint\n\n")
	d.lint(r, opts)
	return d.writeTo(w)
}

func (d *document) lint(r *lint.Result, opts Options) {
	if text, _ := opts.headline(r); text != "" {
		d.add("line", "**"+markdown.Escape(text)+"**\n\n")
	}
	d.add("table", markdown.Head("objects", "errors", "warnings", "info", "suppressed", "in the baseline")+
		markdown.Row(numbers(r.Objects, r.Count(lint.Error), r.Count(lint.Warning), r.Count(lint.Info), len(r.Suppressed), r.Known)...)+"\n")
	findings := opts.listed(r)
	d.hidden(r)
	d.findings(findings)
	for _, f := range findings {
		d.detail(f)
	}
	d.input(r)
}

// hidden counts the findings that are not listed.
func (d *document) hidden(r *lint.Result) {
	if text := HiddenLine(r); text != "" {
		d.add("line", markdown.Escape(text)+"\n\n")
	}
}

// ReviewMarkdown writes a comment for a pull request: the counts, a list of
// findings for each severity, and every object with its difference and the
// details of its findings folded.
func ReviewMarkdown(w io.Writer, r *Review, opts Options) error {
	d := ending(r.Lint, opts)
	d.add("heading", "### threeway review\n\n")
	r.section(d, opts)
	return d.writeTo(w)
}

func (r *Review) section(d *document, opts Options) {
	plain := *r
	r, plain.Diff.Paint = &plain, nil
	v := r.Diff.Digest.Verdict()
	d.add("verdict", markdown.Alert(signs[v.Level].alert, "**"+markdown.Escape(v.Text)+"**"))
	d.dangers(r.Diff.Digest.Dangers(), r.Diff.Digest.Place)
	d.add("line", "**"+markdown.Escape(r.Diff.Digest.PlanLine())+"**\n\n")
	d.add("line", markdown.Escape(r.Summed())+"\n\n")
	if lines := show.Lacking(r.Plan); lines != nil {
		d.add("note", "**Not known**\n\n"+markdown.Listed(lines)+"\n")
	}
	d.hidden(r.Lint)
	d.findings(opts.listed(r.Lint))
	subjects := r.subjects(opts)
	fold := markdown.Folded
	if r.lines(subjects) < fewLines {
		fold = markdown.Opened
	}
	warnings := append(show.Warnings(r.Plan.Outcomes, r.Diff), show.Accidents(r.Plan.Prune)...)
	summaries, bodies := make([]markdown.Text, len(subjects)), make([]body, len(subjects))
	for i, s := range subjects {
		summaries[i], bodies[i] = r.summary(s), r.body(s)
	}
	longest := d.longestExcerpt(summaries, bodies)
	blocks := make([]detail, len(subjects))
	for i, summary := range summaries {
		blocks[i] = detail{fold(summary, bodies[i].text(longest)), "<p>" + summary + "</p>\n", bodies[i].size(longestDiff)}
	}
	d.details(blocks)
	d.list("Warnings", warnings)
	d.input(r.Lint)
}

// fewLines are those of differences that are short enough to be open.
const fewLines = 40

// lines counts those of all differences.
func (r *Review) lines(subjects []*subject) (n int) {
	for _, s := range subjects {
		if s.file != nil {
			n += strings.Count(s.hunks(r).text, "\n")
		}
	}
	return n
}

// findings adds a list for each severity, the worst first, in which findings that say the
// same are one.
func (d *document) findings(list []*lint.Finding) {
	for _, severity := range []lint.Severity{lint.Error, lint.Warning, lint.Info} {
		var rows []foundRow
		n, index := 0, map[markdown.Text]int{}
		for _, f := range list {
			if f.Severity != severity {
				continue
			}
			n++
			message := markdown.Escape(f.Shared())
			if f.Clusters != nil {
				message += " (only " + markdown.Escape(f.Only) + ")"
			}
			if f.Suppressed != "" {
				message += " (suppressed: " + markdown.Escape(f.Suppressed) + ")"
			}
			says := message + " " + markdown.Code(f.Rule.ID)
			at := d.place(f.At().File, f.At().Line)
			if f.Object != "" {
				at = markdown.Code(f.Object) + " " + at
			}
			i, said := index[says]
			if !said {
				i = len(rows)
				index[says], rows = i, append(rows, foundRow{says: says})
			}
			rows[i].places = append(rows[i].places, at)
		}
		d.table("finding", markdown.Escape(plural(n, severity.String())), rowsOf(rows), severity == lint.Error)
	}
}

// foundRow is what findings say, and where.
type foundRow struct {
	says   markdown.Text
	places []markdown.Text
}

func rowsOf(list []foundRow) (rows []markdown.Text) {
	for _, r := range list {
		if more := len(r.places) - mostNamed; more > 0 {
			r.places = append(r.places[:mostNamed:mostNamed], markdown.Escape("and "+plural(more, "more object")))
		}
		rows = append(rows, item(r.says, r.places))
	}
	return rows
}

// input adds what could not be read.
func (d *document) input(r *lint.Result) {
	var problems []string
	for _, p := range r.Problems {
		problems = append(problems, p.String())
	}
	d.list("Problems with the input", problems)
}

// longestEnd is how much of what a run could not know is at the end of a comment, in
// bytes.
const longestEnd = 8192

// ending is a document that ends with what the run could not know.
func ending(r *lint.Result, opts Options) *document {
	var list []string
	size, all := 0, append(Skipped(r, false), r.Notes...)
	for i, item := range all {
		if size += len(markdown.Listed([]string{item})); size > longestEnd {
			list = append(list, "… and "+plural(len(all)-i, "more note"))
			break
		}
		list = append(list, item)
	}
	d := &document{files: opts.Files, directory: opts.Directory}
	if list != nil {
		d.last = markdown.Folded("Not known in this run", markdown.Listed(list))
	}
	return d
}

// list adds a folded list, if there is anything in it.
func (d *document) list(title string, items []string) {
	if len(items) > 0 {
		d.add("note", markdown.Folded(markdown.HTML(title), markdown.Listed(items)))
	}
}

// unfolded is what there is to say of a finding besides its message.
func unfolded(f *lint.Finding) (text markdown.Text) {
	if source := f.At().Source; source != "" && f.At().Missing == nil && !strings.HasSuffix(strings.TrimSpace(source), ":") { // a bare key says nothing
		text += markdown.Fenced("yaml", printable(f.At().Source)) + "\n"
	}
	for _, d := range details(f) {
		text += "- " + markdown.Escape(d[0]) + ": " + markdown.Escape(d[1]) + "\n"
	}
	return text
}

// summary is the line of an object that can be folded open.
func (r *Review) summary(s *subject) markdown.Text {
	text := markdown.Text("other findings")
	if s.name != "" {
		text = "<code>" + markdown.HTML(s.name) + "</code> "
		if n := len(s.same); n > 0 {
			text += markdown.HTML("and " + plural(n, "more object") + " ")
		}
		text += markdown.HTML(s.action)
	}
	if s.file != nil {
		h := s.hunks(r)
		text += markdown.HTML(fmt.Sprintf(" +%d −%d", h.added, h.removed))
	}
	for _, severity := range []lint.Severity{lint.Error, lint.Warning, lint.Info} {
		n := 0
		for _, f := range s.findings {
			if f.Severity == severity && f.Suppressed == "" {
				n++
			}
		}
		if n > 0 {
			text += ", " + markdown.HTML(plural(n, severity.String()))
		}
	}
	return text
}

// body is what is folded below an object's line.
func (r *Review) body(s *subject) (b body) {
	if same := s.others(); same != "" {
		b.before += markdown.Escape(same) + "\n\n"
	}
	if len(s.impact) > 0 {
		b.before += markdown.Listed(s.impact) + "\n"
	}
	if s.file != nil {
		if c := s.file.Candidate; c != nil {
			b.before += markdown.Fenced("", show.Candidate(*c, r.Diff)) + "\n"
		}
		b.excerpts = append(b.excerpts, excerpt{"diff", s.hunks(r).text})
	}
	if s.refusal != "" {
		b.excerpts = append(b.excerpts, excerpt{"", s.refusal})
	}
	var parts []markdown.Text
	for _, f := range s.findings {
		parts = append(parts, "**"+markdown.Escape(f.Severity.String())+"** "+markdown.Code(f.Rule.ID)+" "+markdown.Escape(f.Message)+"\n\n"+unfolded(f)+"\n")
	}
	b.after = markdown.Join(parts, "")
	return b
}

func numbers(list ...int) (cells []markdown.Text) {
	for _, n := range list {
		cells = append(cells, markdown.Escape(strconv.Itoa(n)))
	}
	return cells
}
