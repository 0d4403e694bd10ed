package report

import (
	"regexp"
	"strings"
	"sync"

	"threeway/merge/text/columns"
	"threeway/merge/text/visible"
)

// line is a text on lines that fit, with an indent.
func (o Options) line(indent, text string) string { return o.fit(indent + visible.Joined(text) + "\n") }

// painted is a text in a style on lines that fit.
func (o Options) painted(s Style, text string) string {
	return o.fit(o.paint(s, visible.Joined(text)) + "\n")
}

// fit breaks the lines of a text that are too wide for the terminal between words, and indents what
// follows by what they begin with. The lines of a source stay as they are.
func (o Options) fit(text string) string {
	if o.Width == 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		line, ended := strings.CutSuffix(line, "\n")
		plain := line
		if strings.HasPrefix(line, "\x1b[") {
			_, plain, _ = strings.Cut(line, "m")
		}
		switch begins := beginnings().FindStringSubmatch(plain); {
		case begins[1] != "" && columns.Width(line) <= o.Width: // of a source
			b.WriteString(line)
		case begins[1] != "":
			b.WriteString(columns.Cut(line, o.Width-1) + "…")
		case begins[2] != "":
			const kept = "\u00a0" // a blank that Fold does not break: a command is to be copied
			label, says := begins[2], line[len(begins[2]):]
			for _, found := range command().FindAllStringSubmatch(says, -1) {
				says = strings.Replace(says, found[1], strings.ReplaceAll(found[1], " ", kept), 1)
			}
			lines := columns.Fold(says, max(o.Width-len(label), min(o.Width, 20)), 0)
			b.WriteString(label + strings.ReplaceAll(strings.Join(lines, "\n"+strings.Repeat(" ", len(label))), kept, " "))
		default:
			hang := len(begins[3]) + 2
			if begins[4] != "" {
				hang = 4
			}
			b.WriteString(strings.Join(columns.Fold(line, o.Width, hang), "\n"+strings.Repeat(" ", hang)))
		}
		if ended {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// beginnings are those of the lines of a source, of what is said below a finding, and of others: their
// indent, and the place of a finding.
var beginnings = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:( *[0-9]* [|+](?: |$))|(   [a-z]+ +)|( *)(.+?:[0-9]+:[0-9]+:)?)`)
})

// command is a command line in a text: at its beginning, after a colon or a parenthesis.
var command = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[:(] ?)((?:kubectl|threeway) (?:'[^']*'|[^';)])*)`)
})
