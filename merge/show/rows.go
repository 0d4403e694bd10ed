package show

import (
	"bufio"
	"fmt"
	"strings"

	"threeway/merge/explain"
	"threeway/merge/text/columns"
	"threeway/merge/tree"
)

// row is a change as columns of text.
type row struct {
	sign, path, values, reason, why string
	style                           Style
}

// The widest that a column is padded to: what is longer pushes the rest of its
// own row, not of all.
const (
	widestPath   = 100
	widestValues = 60
)

func writeChanges(out *bufio.Writer, changes []explain.Change, opts Options) {
	rows := make([]row, len(changes))
	paths, values, reasons, whys := 0, 0, 0, 0
	for i, c := range changes {
		rows[i] = changeRow(c)
		paths = max(paths, min(widestPath, columns.Width(rows[i].path)))
		values = max(values, min(widestValues, columns.Width(rows[i].values)))
		reasons = max(reasons, len(rows[i].reason))
		whys = max(whys, columns.Width(rows[i].why))
	}
	narrow := opts.Width > 0 && paths+values+reasons+whys+8 > opts.Width
	for _, r := range rows {
		wide := max(paths, columns.Width(r.path)) + max(values, columns.Width(r.values)) + reasons + columns.Width(r.why) + 8
		if narrow || opts.Width > 0 && wide > opts.Width {
			r.stack(out, reasons, opts)
			continue
		}
		fmt.Fprintf(out, "%s  %s  %s  %s\n",
			opts.paint(r.style, r.sign)+" "+pad(r.path, paths), r.paintValues(opts)(pad(r.values, values)), opts.paint(r.style, pad(r.reason, reasons)), opts.paint(Muted, r.why))
	}
}

// paintValues returns what colors the lines of a row's values in turn: the old one as removed,
// the new one as added. Those that are kept are no news.
func (r row) paintValues(opts Options) func(line string) string {
	style := r.style
	switch {
	case style == Muted:
		style = Plain
	case style == Changed && strings.Count(r.values, "→") == 1:
		style = Removal
	}
	return func(line string) string {
		before, after, turns := strings.Cut(line, "→")
		if style != Removal || r.style != Changed || !turns {
			return opts.paint(style, line)
		}
		old, now := strings.TrimRight(before, " "), strings.TrimLeft(after, " ")
		style = Addition
		return opts.paint(Removal, old) + before[len(old):] + "→" + after[:len(after)-len(now)] + opts.paint(Addition, now)
	}
}

// stack writes a row for which the terminal is too narrow: the reason below, and
// the values too if they must.
func (r row) stack(out *bufio.Writer, reasons int, opts Options) {
	out.WriteString(opts.paint(r.style, r.sign) + " " + strings.Join(columns.FoldPath(r.path, opts.Width-2, 2), "\n    "))
	if r.values != "" {
		if columns.Width(r.path+r.values)+4 > opts.Width {
			out.WriteString("\n  ")
		}
		paint := r.paintValues(opts)
		for i, line := range columns.Fold(r.values, opts.Width-4, 0) {
			if i > 0 {
				out.WriteString("\n  ")
			}
			out.WriteString("  " + paint(line))
		}
	}
	label := pad(r.reason, reasons)
	for _, line := range columns.Fold(r.why, max(opts.Width-len(label)-6, 20), 0) {
		fmt.Fprintf(out, "\n    %s  %s", opts.paint(r.style, label), opts.paint(Muted, line))
		label = pad("", len(label))
	}
	out.WriteByte('\n')
}

func pad(s string, width int) string {
	if n := columns.Width(s); n < width {
		return s + strings.Repeat(" ", width-n)
	}
	return s
}

func changeRow(c explain.Change) row {
	r := row{path: c.Path.String(), reason: reasonText(c), why: c.Explanation}
	switch {
	case c.Reason == explain.Conflict:
		r.sign, r.values, r.style = "!", arrow(c), Removal
	case !c.InOld && !c.InNew:
		r.sign, r.values, r.style = "!", "", Muted
	case !c.InOld:
		r.sign, r.values, r.style = "+", shown(c.New), Addition
	case !c.InNew:
		r.sign, r.values, r.style = "-", shown(c.Old)+" → (removed)", Removal
	case c.Reason == explain.Kept || c.Reason == explain.OwnedBy:
		r.sign, r.values, r.style = "=", shown(c.Old), Muted
	default:
		r.sign, r.values, r.style = "±", arrow(c), Changed
	}
	return r
}

// arrow is the value before and after a change.
func arrow(c explain.Change) string {
	before, after := apart(c.InOld, c.Old, c.InNew, c.New)
	return before + " → " + after
}

// reasonText is the reason with the managers it is about.
func reasonText(c explain.Change) string {
	if len(c.Owners) == 0 {
		return string(c.Reason)
	}
	return string(c.Reason) + " " + strings.Join(c.Owners, ", ")
}

func either(there bool, v any) string {
	if !there {
		return "(none)"
	}
	return shown(v)
}

// shown is a value on one line: text as it is unless that would mislead, maps and lists
// as YAML, anything else as JSON; of a long one the beginning and the end.
func shown(v any) string {
	if text := tree.Probe(v); text != "" {
		return shorten(escaped(text))
	}
	return shorten(plainly(v))
}

// plainly is shown of a value that may be long.
func plainly(v any) string {
	if s, ok := v.(string); ok && s != "" && strings.IndexFunc(s, unprintable) < 0 && strings.TrimSpace(s) == s {
		return s
	}
	return escaped(tree.Flow(v))
}

// escaped writes the control characters that JSON leaves as they are the way it
// writes others.
func escaped(text string) string {
	if strings.IndexFunc(text, unprintable) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unprintable(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func unprintable(r rune) bool {
	return r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029
}

// An image with its registry and tag stays whole.
const longestValue, valueEnd = 96, 32

func shorten(s string) string {
	if r := []rune(s); len(r) > longestValue {
		return string(r[:longestValue-valueEnd-1]) + "…" + string(r[len(r)-valueEnd:])
	}
	return s
}
