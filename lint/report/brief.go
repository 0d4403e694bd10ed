package report

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/text/visible"
)

// briefLines are those of a brief text, and briefVerdict those that its verdict may have.
const briefLines, briefVerdict = 18, 10

// writeBrief writes the worst findings, one a line, before what the run comes to, and
// counts what is left out.
func writeBrief(out *bufio.Writer, verdict string, r *lint.Result, opts Options) {
	lines := strings.Split(strings.TrimSuffix(verdict, "\n"), "\n")
	if verdict == "" {
		lines = []string{plural(r.Objects, "object") + ": " + Tally(r)}
	}
	if n := len(lines) - briefVerdict; n > 0 {
		lines = append(lines[:briefVerdict-2:briefVerdict-2], fmt.Sprintf("    … and %s", plural(n+1, "line")), lines[len(lines)-1])
	}
	findings := slices.Clone(opts.listed(r))
	slices.SortStableFunc(findings, func(a, b *lint.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	room := briefLines - len(lines)
	for i, f := range findings {
		if i == room && len(findings) > room {
			fmt.Fprintf(out, "… and %s\n", plural(len(findings)-room, "finding"))
			break
		}
		at := f.At()
		fmt.Fprintf(out, "%s %s: %s [%s]\n", opts.paint(Place, fmt.Sprintf("%s:%d:", visible.Joined(at.File), at.Line)), opts.paint(word(f.Severity), f.Severity.String()), message(f), f.Rule.ID)
	}
	for _, line := range lines {
		out.WriteString(line + "\n")
	}
}
