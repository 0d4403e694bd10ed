package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/text/columns"
	"threeway/merge/text/visible"
)

// Text writes file:line:column: severity: message [rule], the source line with
// a caret below the key, what is live, and the fix.
func Text(w io.Writer, r *lint.Result, opts Options) error {
	out := bufio.NewWriter(w)
	if opts.Brief {
		writeBrief(out, "", r, opts)
		return out.Flush()
	}
	list := opts.listed(r)
	for i, f := range list[:min(len(list), mostFindings)] {
		if i > 0 {
			out.WriteByte('\n')
		}
		writeFinding(out, f, opts)
	}
	notListed(out, len(list)-mostFindings)
	return out.Flush()
}

// mostFindings is how many findings are written for people; the rest is counted.
const mostFindings = 1000

func notListed(out io.Writer, n int) {
	if n > 0 {
		fmt.Fprintf(out, "%s not listed; -o json has all\n", plural(n, "more finding"))
	}
}

func writeFinding(out *bufio.Writer, f *lint.Finding, opts Options) {
	at := f.At()
	out.WriteString(opts.fit(fmt.Sprintf("%s %s: %s %s\n", opts.paint(Place, fmt.Sprintf("%s:%d:%d:", visible.Joined(at.File), at.Line, at.Column)),
		opts.paint(word(f.Severity), f.Severity.String()), message(f), opts.paint(RuleName, "["+f.Rule.ID+"]"))))
	if !opts.Brief {
		writeSnippet(out, at, opts)
	}
	for _, d := range details(f) {
		if opts.Brief && d[0] != "fix" && d[0] != "way" && d[0] != "suppressed" {
			continue
		}
		out.WriteString(opts.fit(fmt.Sprintf("   %-4s  %s\n", d[0], d[1])))
	}
}

// message is the finding's, with the object in front where the place does not
// tell which one is meant.
func message(f *lint.Finding) string {
	if f.Others > 0 {
		return visible.Joined(fmt.Sprintf("%d objects: %s", f.Others+1, f.Message))
	}
	if f.Object == "" || f.LiveAt.File != "" && f.LiveObject == f.Object || strings.Contains(f.Message, f.Object) {
		return visible.Joined(f.Message)
	}
	return visible.Joined(manifest.Title(f.Object) + ": " + f.Message)
}

// widestSnippet is how much of a line is shown where there is no terminal: what
// is wider than a screen is of no use.
const widestSnippet = 160

func writeSnippet(out *bufio.Writer, at lint.Position, opts Options) {
	if strings.TrimSpace(at.Source) == "" {
		return
	}
	number := strconv.Itoa(at.Line)
	margin := strings.Repeat(" ", len(number))
	if at.Missing != nil {
		if added := at.Added(); added != nil {
			fmt.Fprintf(out, "%s\n%s %s\n", opts.paint(Gutter, margin+" |"), opts.paint(Gutter, number+" |"), printable(at.Source))
			for _, line := range added {
				fmt.Fprintf(out, "%s %s\n", opts.paint(Gutter, margin+" +"), opts.paint(Caret, printable(line)))
			}
		}
		return
	}
	widest := widestSnippet
	if opts.Width > 0 {
		widest = max(opts.Width-len(number)-3, 20)
	}
	before, key, after := split(at, widest)
	fmt.Fprintf(out, "%s\n%s\n%s\n",
		opts.paint(Gutter, margin+" |"),
		opts.paint(Gutter, number+" |")+" "+before+key+after,
		opts.paint(Gutter, margin+" |")+" "+strings.Repeat(" ", columns.Width(before))+
			opts.paint(Caret, "^"+strings.Repeat("~", max(columns.Width(key)-1, 0))))
}

// split is the source line before, at and after the place, as much of it as fits
// into so many columns, with … for the rest.
func split(at lint.Position, widest int) (before, key, after string) {
	source := []rune(printable(at.Source))
	from := min(max(at.Column-1, 0), len(source))
	to := min(from+max(at.Width, 1), len(source))
	before, key, after = string(source[:from]), string(source[from:to]), string(source[to:])
	if columns.Width(before+key+after) <= widest {
		return before, key, after
	}
	const context = 20 // of what is before the place
	if columns.Width(before+key) > widest*3/4 && len(source[:from]) > context {
		before = "…" + string(source[from-context:from])
	}
	if columns.Width(before+key) >= widest {
		key = columns.Cut(key, max(widest-columns.Width(before)-1, 1))
		return before, key, "…"
	}
	if rest := widest - columns.Width(before+key); columns.Width(after) > rest {
		after = columns.Cut(after, max(rest-1, 1))
		after += "…"
	}
	return before, key, after
}

// printable puts blanks in the place of what a terminal would act on, so that
// every character keeps its column.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if visible.Acts(r) {
			return ' '
		}
		return r
	}, s)
}

func word(s lint.Severity) Style {
	switch s {
	case lint.Error:
		return ErrorWord
	case lint.Warning:
		return WarningWord
	}
	return InfoWord
}
