package report

import (
	"fmt"
	"io"
	"strconv"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/show"
	"threeway/merge/text/markdown"
)

// Markdown writes a comment for a pull request: the counts, and a list of findings for each
// severity.
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
	d.hidden(r)
	d.findings(opts.listed(r))
	d.input(r)
}

// hidden counts the findings that are not listed.
func (d *document) hidden(r *lint.Result) {
	if text := HiddenLine(r); text != "" {
		d.add("line", markdown.Escape(text)+"\n\n")
	}
}

// ReviewMarkdown writes a comment for a pull request: the verdict, what is to be fixed and
// decided, and every object with its difference folded.
func ReviewMarkdown(w io.Writer, r *Review, opts Options) error {
	d := ending(r.Lint, opts)
	d.add("heading", "### threeway review\n\n")
	r.section(d, opts)
	r.details(d, opts)
	return d.writeTo(w)
}

// section adds the verdict, and what is to be fixed and decided.
func (r *Review) section(d *document, opts Options) {
	v := r.Diff.Digest.Verdict()
	d.add("verdict", markdown.Alert(signs[v.Level].alert, "**"+markdown.Escape(v.Text)+"**"))
	if v.Level != show.None {
		d.add("line", "**"+markdown.Escape(r.Diff.Digest.PlanLine())+"**\n\n")
	}
	d.add("line", markdown.Escape(r.Summed())+"\n\n")
	if lines := show.Lacking(r.Plan); lines != nil {
		d.add("note", "**Not known**\n\n"+markdown.Listed(lines)+"\n")
	}
	d.hidden(r.Lint)
	d.addCauses(d.causes(opts.listed(r.Lint), r.Diff.Digest.Dangers(), r.Diff.Digest.Place))
	d.remedies(opts.listed(r.Lint))
}

// details adds every object with its difference, folded.
func (r *Review) details(d *document, opts Options) {
	d.folds(r.folds(opts))
	d.list("Warnings", r.warnings())
	d.input(r.Lint)
}

// warnings are those of kubectl and of the API server, and what prune does by accident.
func (r *Review) warnings() []string {
	return append(show.Warnings(r.Plan.Outcomes, r.Diff), show.Accidents(r.Plan.Prune)...)
}

// fold is what changes in an object: a line, and what is folded below it.
type fold struct {
	summary markdown.Text
	body    body
}

// folds are the objects that change.
func (r *Review) folds(opts Options) (list []fold) {
	plain := *r
	r, plain.Diff.Paint = &plain, nil
	for _, s := range r.subjects(opts) {
		if s.name != "" && (s.file != nil || s.refusal != "" || s.action != "") {
			list = append(list, fold{r.summary(s), r.body(s)})
		}
	}
	return list
}

// fewLines are those of differences that are short enough to be open.
const fewLines = 40

// folds adds what changes in objects, open if that is short.
func (d *document) folds(list []fold) {
	lines := 0
	for _, f := range list {
		lines += f.body.lines()
	}
	wrap := markdown.Folded
	if lines < fewLines {
		wrap = markdown.Opened
	}
	longest := d.longestExcerpt(list)
	blocks := make([]detail, len(list))
	for i, f := range list {
		line := "<p>" + f.summary + "</p>\n"
		blocks[i] = detail{line, line, 0}
		if f.body.size(1) > 0 {
			blocks[i] = detail{wrap(f.summary, f.body.text(longest)), line, f.body.size(longestDiff)}
		}
	}
	d.details(blocks)
}

// severityTitles head the findings of a severity, where no verdict counts them.
var severityTitles = map[lint.Severity]markdown.Text{lint.Error: "Errors", lint.Warning: "Warnings", lint.Info: "Info"}

// findings adds a list for each severity, the worst first, in which findings that say the
// same are one.
func (d *document) findings(list []*lint.Finding) {
	for _, severity := range []lint.Severity{lint.Error, lint.Warning, lint.Info} {
		d.table("finding", severityTitles[severity], d.found(once(list, severity)), severity == lint.Error, 1)
	}
}

// found are findings as items of a list, each with what to do about it.
func (d *document) found(list []*alikeFinding) (rows []markdown.Text) {
	for _, f := range list {
		text := d.place(f.At().File, f.At().Line) + " "
		if f.Object != "" {
			text += "**" + markdown.Escape(manifest.Title(f.Object)) + "** "
		}
		text += markdown.Escape(f.Shared()) + " " + markdown.Code(f.Rule.ID)
		var below []markdown.Text
		if f.also != nil {
			below = append(below, "also "+d.others(f.also))
		}
		for _, about := range details(f.Finding) {
			below = append(below, markdown.Escape(about[0])+": "+markdown.Escape(about[1]))
		}
		rows = append(rows, item(text, below))
	}
	return rows
}

// others are the objects of findings, each with its place.
func (d *document) others(list []*lint.Finding) markdown.Text {
	var names []markdown.Text
	for i, f := range list {
		if i == mostNamed {
			names = append(names, markdown.Escape("and "+plural(len(list)-i, "more object")))
			break
		}
		names = append(names, markdown.Escape(manifest.Title(f.Object))+" "+d.place(f.At().File, f.At().Line))
	}
	return markdown.Join(names, ", ")
}

// causes are what is to be fixed and what is to be decided as items of lists, each cause once.
func (d *document) causes(list []*lint.Finding, dangers []show.Danger, place func(object string) (string, int)) (fix, decide []markdown.Text) {
	dangers = untold(dangers, list)
	fix, decide = d.found(once(list, lint.Error)), append(d.found(once(list, lint.Warning)), d.found(once(list, lint.Info))...)
	for _, danger := range dangers {
		if danger.Level == show.Stop {
			fix = append(fix, d.danger(danger, place)...)
		} else {
			decide = append(decide, d.danger(danger, place)...)
		}
	}
	return fix, decide
}

func (d *document) addCauses(fix, decide []markdown.Text) {
	d.table("finding", "Fix first", fix, true, longestShare)
	d.table("finding", "Decide", decide, false, longestShare)
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

// summary is the line of an object that can be folded open.
func (r *Review) summary(s *subject) markdown.Text {
	title := manifest.Title(s.name)
	if s.same != nil {
		title, _ = s.each()
	}
	text := actionSigns[s.action].sign + " " + markdown.HTML(title)
	if s.action != changed {
		text += " " + markdown.HTML(s.action)
	}
	if s.file != nil {
		h := s.hunks(r)
		text += markdown.HTML(fmt.Sprintf(" +%d −%d", h.added, h.removed))
	}
	return text
}

// says are lines on what the apply does to what runs: of several objects with the fields that
// change, since the difference is that of the first.
func (s *subject) says(r *Review) (said []string) {
	var rows []show.Row
	rest := s.impact
	if s.same != nil {
		rows, rest = r.Diff.Digest.Rows(s.name, s.impact)
	}
	for _, row := range mostTelling(rows) {
		said = append(said, s.row(row))
	}
	for _, line := range rest {
		said = append(said, s.line(line))
	}
	return said
}

// body is what is folded below an object's line.
func (r *Review) body(s *subject) (b body) {
	if s.same != nil {
		_, names := s.each()
		b.before += markdown.Escape(names) + "\n\n"
	}
	if said := s.says(r); len(said) > 0 {
		b.before += markdown.Listed(said) + "\n"
	}
	if s.same != nil {
		b.before += markdown.Escape("In "+manifest.Title(s.name)+":") + "\n\n"
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
	return b
}

func numbers(list ...int) (cells []markdown.Text) {
	for _, n := range list {
		cells = append(cells, markdown.Escape(strconv.Itoa(n)))
	}
	return cells
}
