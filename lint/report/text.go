package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"threeway/lint"
)

// Text writes file:line:column: severity: message [rule], the source line with
// a caret below the key, what is live, and the fix.
func Text(w io.Writer, r *lint.Result, opts Options) error {
	out := bufio.NewWriter(w)
	for i, f := range opts.listed(r) {
		if i > 0 {
			out.WriteByte('\n')
		}
		at := f.At()
		fmt.Fprintf(out, "%s %s: %s %s\n",
			opts.paint(Place, fmt.Sprintf("%s:%d:%d:", oneLine(at.File), at.Line, at.Column)),
			opts.paint(word(f.Severity), f.Severity.String()), message(f), opts.paint(RuleName, "["+f.Rule.ID+"]"))
		writeSnippet(out, at, opts)
		for _, d := range details(f) {
			fmt.Fprintf(out, "   %-4s  %s\n", d[0], d[1])
		}
	}
	return out.Flush()
}

// message is the finding's, with the object in front where the place does not
// tell which one is meant.
func message(f *lint.Finding) string {
	if f.Object == "" || f.LiveAt.File != "" && f.LiveObject == f.Object || strings.Contains(f.Message, f.Object) {
		return oneLine(f.Message)
	}
	return oneLine(f.Object + ": " + f.Message)
}

func writeSnippet(out *bufio.Writer, at lint.Position, opts Options) {
	if strings.TrimSpace(at.Source) == "" {
		return
	}
	number := strconv.Itoa(at.Line)
	margin := strings.Repeat(" ", len(number))
	// What is wider than a screen helps nobody.
	source := []rune(strings.ReplaceAll(at.Source, "\t", " "))
	column, width := at.Column, at.Width
	if len(source) > 160 {
		from := max(0, min(column-20, len(source)-160))
		source, column = source[from:from+160], column-from
	}
	width = max(1, min(width, len(source)-column+1))
	fmt.Fprintf(out, "%s\n%s\n%s\n",
		opts.paint(Gutter, margin+" |"),
		opts.paint(Gutter, number+" |")+" "+oneLine(string(source)),
		opts.paint(Gutter, margin+" |")+" "+strings.Repeat(" ", max(0, column-1))+opts.paint(Caret, "^"+strings.Repeat("~", width-1)))
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
