package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"threeway/lint"
)

// Markdown writes a comment for a pull request: a line with the counts, a
// table, and the details folded.
func Markdown(w io.Writer, r *lint.Result, opts Options) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "### threeway lint\n\n%s\n", escape(Summary(r)[0]))
	findings := opts.listed(r)
	if len(findings) > 0 {
		out.WriteString("\n| | where | object | finding | rule |\n|---|---|---|---|---|\n")
	}
	for _, f := range findings {
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s |\n", f.Severity,
			code(fmt.Sprintf("%s:%d", f.At().File, f.At().Line)), code(f.Object), escape(f.Message), code(f.Rule.ID))
	}
	for _, f := range findings {
		lines := details(f)
		if len(lines) == 0 && f.At().Source == "" {
			continue
		}
		fmt.Fprintf(out, "\n<details><summary>%s</summary>\n\n", html(fmt.Sprintf("%s:%d %s", f.At().File, f.At().Line, f.Rule.ID)))
		if f.At().Source != "" {
			fence := fence(f.At().Source)
			fmt.Fprintf(out, "%syaml\n%s\n%s\n\n", fence, oneLine(f.At().Source), fence)
		}
		for _, d := range lines {
			fmt.Fprintf(out, "- %s: %s\n", d[0], escape(d[1]))
		}
		out.WriteString("\n</details>\n")
	}
	for i, line := range Summary(r)[1:] {
		if i == 0 {
			out.WriteByte('\n')
		}
		fmt.Fprintf(out, "- %s\n", escape(line))
	}
	return out.Flush()
}

// escape keeps text from being Markdown, HTML, a mention or a table's border.
func escape(s string) string {
	var b strings.Builder
	for _, r := range oneLine(s) {
		switch r {
		case '\\', '`', '*', '_', '[', ']', '#', '|', '~', '!':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '&':
			b.WriteString("&amp;")
		case '@':
			b.WriteString("&#64;")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// code is text as inline code in a cell of a table.
func code(s string) string {
	if s == "" {
		return ""
	}
	s = strings.ReplaceAll(oneLine(s), "|", "\\|")
	ticks := strings.Repeat("`", longestTicks(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

func html(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "&#64;").Replace(oneLine(s))
}

// fence is longer than any run of backticks in the text.
func fence(s string) string { return strings.Repeat("`", max(3, longestTicks(s)+1)) }

func longestTicks(s string) (longest int) {
	n := 0
	for _, r := range s {
		if r == '`' {
			n++
		} else {
			n = 0
		}
		longest = max(longest, n)
	}
	return longest
}
