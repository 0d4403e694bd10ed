package fix

import (
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/mask"
)

// Masked returns the old and the new text with the lines masked that contain
// values of Secrets, or anything else that the policy hides.
func (c *Change) Masked(p *mask.Policy) (before, after string) {
	a, b := lines(c.Old), lines(c.New)
	hiddenA, hiddenB := hidden(c.Old, len(a), p), hidden(c.New, len(b), p)
	return hide(a, hiddenA, b, hiddenB, mask.Before), hide(b, hiddenB, a, hiddenA, mask.After)
}

func lines(text []byte) []string { return strings.SplitAfter(string(text), "\n") }

// hide masks the hidden lines. A hidden line that the other text does not have
// becomes changed.
func hide(lines []string, hidden []bool, other []string, otherHidden []bool, changed string) string {
	var b strings.Builder
	same := map[string]bool{}
	for i, line := range other {
		same[line] = same[line] || otherHidden[i]
	}
	for i, line := range lines {
		if !hidden[i] {
			b.WriteString(line)
			continue
		}
		value := changed
		if same[line] {
			value = mask.Value
		}
		b.WriteString(value + line[len(strings.TrimRight(line, "\r\n")):])
	}
	return b.String()
}

// hidden marks the lines that contain values of Secrets. If the lines of the
// values in a Secret are unknown, the whole Secret is hidden; if a file cannot
// be read to its end, the whole file.
func hidden(text []byte, count int, p *mask.Policy) []bool {
	list := make([]bool, count)
	mark := func(from, to int) {
		for i := max(from-1, 0); i < min(to, count); i++ {
			list[i] = true
		}
	}
	set := read(text)
	if manifest.Err(set.Problems) != nil {
		mark(1, count)
	}
	for _, o := range set.Objects {
		for _, l := range lint.SecretLines(o, p) {
			mark(l.First, l.Last)
		}
	}
	return slices.Clip(list)
}
