// Package report writes lint findings: as text with the source line and a
// caret, and in the formats that programs and services read. It writes to the
// writer it is given and knows no terminal.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/show"
	"threeway/merge/text/visible"
)

// Options say how to report. The zero value is the default.
type Options struct {
	// Version is threeway's own.
	Version string
	// Examples returns those of a rule, for formats that describe rules; nil
	// if there are none.
	Examples func(*lint.Rule) lint.Examples
	// ShowSuppressed reports what is silenced as well, marked.
	ShowSuppressed bool
	// Directory is the working directory, seen from the top of the repository
	// and with slashes; "" at the top and outside of one.
	Directory string
	// Level is the severity from which a finding is listed; Unset: as the format has it.
	Level lint.Severity
	// FailOn is the severity from which a finding fails the run.
	FailOn lint.Severity
	// RulePages is the address of a site with a page for each rule below rules/; ""
	// if there is none.
	RulePages string
	// Files is the address of the files of the commit at a service, with a slash at its end;
	// "" outside of a job.
	Files string
	// Before begins the names of files that are read from the revision that is compared with, as
	// main: does, which services do not find; "" if there is none.
	Before string
	// Width is that of the terminal in columns, 0 if there is none.
	Width int
	// Diffs has the text of a review show each difference as a diff.
	Diffs bool
	// Steps has the text of a review show all steps of remedies.
	Steps bool
	// Brief has text say the most important in a few lines.
	Brief bool
	// Paint colours text; nil leaves it as it is.
	Paint func(Style, string) string
	// Digest is what the apply does to what runs, for the formats of review that
	// only know findings; nil leaves it out.
	Digest *show.Digest

	said string // the verdicts on several clusters
}

// Style is what a piece of text is, for Paint.
type Style uint8

// The styles.
const (
	Place Style = iota
	ErrorWord
	WarningWord
	InfoWord
	RuleName
	Gutter
	Caret
)

func (o Options) paint(s Style, text string) string {
	if o.Paint == nil || text == "" {
		return text
	}
	return o.Paint(s, text)
}

// Writer writes a result in one format.
type Writer func(w io.Writer, r *lint.Result, opts Options) error

// Findings are the writers by format.
var Findings = map[string]Writer{
	"text": Text, "json": JSON, "sarif": SARIF, "junit": JUnit, "github": GitHub, "gitlab": GitLab, "markdown": Markdown, "baseline": Baseline,
}

// Baseline writes what --baseline reads.
func Baseline(w io.Writer, r *lint.Result, _ Options) error {
	data, err := lint.WriteBaseline(r.Findings)
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

// listed are the findings to write.
func (o Options) listed(r *lint.Result) []*lint.Finding {
	if o.ShowSuppressed {
		return append(slices.Clip(r.Findings), r.Suppressed...)
	}
	return r.Findings
}

// Least is the lowest severity that a format lists.
func (o Options) Least(format string) lint.Severity {
	level := o.Level
	if level == lint.Unset && (format == "text" || format == "markdown") {
		level = lint.Warning
	}
	if o.FailOn != lint.Unset {
		level = min(level, o.FailOn)
	}
	return level
}

// Kept is a result with the findings that a format lists: text and comments those of a
// warning or worse, unless Level says otherwise, and with Steps those that have steps. What fails
// the run is always listed.
func (o Options) Kept(format string, r *lint.Result) *lint.Result {
	level, kept := o.Least(format), *r
	hides := func(f *lint.Finding) bool {
		return f.Severity < level && !(o.Steps && f.Remedy != nil && f.Remedy.Steps != nil)
	}
	for _, f := range r.Findings {
		if hides(f) {
			kept.Hidden[f.Severity]++
		}
	}
	kept.Findings = slices.DeleteFunc(slices.Clone(r.Findings), hides)
	kept.Suppressed = slices.DeleteFunc(slices.Clone(r.Suppressed), hides)
	return &kept
}

// HiddenLine counts the findings that are not listed; "" if all are.
func HiddenLine(r *lint.Result) string {
	var parts []string
	least := lint.Error
	for s := lint.Error; s > lint.Off; s-- {
		if n := r.Hidden[s]; n > 0 {
			parts, least = append(parts, plural(n, s.String())), s
		}
	}
	if parts == nil {
		return ""
	}
	return fmt.Sprintf("%s hidden: --level %s", strings.Join(parts, ", "), least)
}

// Accepting says how to accept one of the findings that are listed, a warning first; "" if there are
// none but rejections, which no reason changes.
func Accepting(r *lint.Result) string {
	for _, severity := range []lint.Severity{lint.Warning, lint.Error} {
		for _, f := range r.Findings {
			if f.Severity == severity && f.Rule.Run != nil && !f.Rejects() {
				return "accept " + map[bool]string{true: "a warning", false: "an error"}[severity == lint.Warning] + " with a reason: " + f.Accepting()
			}
		}
	}
	return ""
}

// headline is what the formats that only know findings say first: the verdict and the plan line
// in a review, else what was not looked at; "" if there is nothing to say.
func (o Options) headline(r *lint.Result) (text string, incomplete bool) {
	text = show.Incomplete(r.Gaps)
	incomplete = r.Gaps != nil
	if o.Digest != nil {
		text = o.Digest.Verdict().Text + ". " + o.Digest.PlanLine()
	} else if o.said != "" {
		text = o.said
	}
	return text, incomplete
}

// Summary is the tally, and the rules that did not run as Skipped has them.
func Summary(r *lint.Result, verbose bool) []string {
	lines := append([]string{plural(r.Objects, "object") + ": " + Tally(r)}, Skipped(r, verbose)...)
	if text := show.Incomplete(r.Gaps); text != "" {
		lines = append(lines, text)
	}
	return lines
}

// Skipped says which rules did not run, and why: those about another kind of run
// only if it is to be verbose.
func Skipped(r *lint.Result, verbose bool) (lines []string) {
	for _, s := range r.Skipped {
		if verbose || !s.Elsewhere {
			lines = append(lines, fmt.Sprintf("%s skipped: %s", plural(len(s.Rules), "rule"), s.Why))
		}
	}
	return lines
}

// Tally counts the findings in words.
func Tally(r *lint.Result) string {
	var parts []string
	for _, s := range []lint.Severity{lint.Error, lint.Warning, lint.Info} {
		if n := r.Count(s); n > 0 {
			parts = append(parts, plural(n, s.String()))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "no findings")
	}
	if n := len(r.Suppressed); n > 0 {
		parts = append(parts, fmt.Sprintf("%d suppressed", n))
	}
	if r.Known > 0 {
		parts = append(parts, fmt.Sprintf("%d in the baseline", r.Known))
	}
	return strings.Join(parts, ", ")
}

func plural(n int, noun string) string {
	if n == 1 || noun == "info" {
		return fmt.Sprintf("%d %s", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// details are the lines below the message: the clusters, live, notes, fix.
func details(f *lint.Finding) [][2]string {
	var lines [][2]string
	if f.Clusters != nil {
		lines = append(lines, [2]string{"only", f.Only})
	}
	if template := f.At().Template; template != "" {
		lines = append(lines, [2]string{"from", template})
	}
	if f.LiveAt.File != "" {
		text := fmt.Sprintf("%s (%s:%d)", f.LiveObject, visible.Line(f.LiveAt.File), f.LiveAt.Line)
		if f.Live != "" {
			text += ": " + f.Live
		}
		lines = append(lines, [2]string{"live", text})
	}
	for _, n := range f.Notes {
		lines = append(lines, [2]string{"note", n})
	}
	if f.Fix != "" {
		lines = append(lines, [2]string{"fix", f.Fix})
	}
	if way := f.Way(); way != "" && way != f.Fix {
		lines = append(lines, [2]string{map[bool]string{true: "note", false: "way"}[f.Remedy.Steps == nil], way})
	}
	if f.Suppressed != "" {
		lines = append(lines, [2]string{"suppressed", f.Suppressed})
	}
	for i := range lines {
		lines[i][1] = visible.Joined(lines[i][1])
	}
	return lines
}

// Words are what the text format says of a finding: the message, and the lines below it.
func Words(f *lint.Finding) (text string, details []string) { return message(f), lines(f) }

// Here are the Words where the line of the finding is in sight: a field that they begin with is
// named as seen from there, without the steps that lead to the line.
func Here(f *lint.Finding) (text string, details []string) {
	text, details = Words(f)
	n := len(f.Path) - max(len(f.At().Missing), 1)
	for n > 0 && f.Path[n].Field == "" {
		n--
	}
	if rest, ok := strings.CutPrefix(text, f.Path.String()+" "); ok && n > 0 {
		text = f.Path[n:].String() + " " + rest
	}
	return text, details
}

// lines are the details as text.
func lines(f *lint.Finding) (list []string) {
	for _, d := range details(f) {
		list = append(list, d[0]+": "+d[1])
	}
	return list
}

// distinct is the finding's fingerprint, numbered if another one has it.
func distinct(seen map[string]int, f *lint.Finding) string {
	print := f.Fingerprint()
	if seen[print]++; seen[print] > 1 {
		return fmt.Sprintf("%s-%d", print, seen[print])
	}
	return print
}
