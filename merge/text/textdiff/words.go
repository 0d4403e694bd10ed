package textdiff

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Span is a part of a line: bytes Start to End, End not included.
type Span struct{ Start, End int }

// Words finds what changed from one line to another, as spans of whole words
// and signs in each; without them the two lines are the same. It returns none
// if the lines are equal or have no word in common.
func Words(old, new string) (oldSpans, newSpans []Span) {
	if old == new {
		return nil, nil
	}
	common := false
	x, y := 0, 0
	for _, s := range joinScattered(tokenSteps(tokens(old), tokens(new))) {
		if s.removed > 0 {
			oldSpans = append(oldSpans, Span{x, x + s.removed})
		}
		if s.added > 0 {
			newSpans = append(newSpans, Span{y, y + s.added})
		}
		x += s.removed
		y += s.added
		common = common || strings.IndexFunc(old[x:x+s.same], isWord) >= 0
		x += s.same
		y += s.same
	}
	if !common {
		return nil, nil
	}
	return oldSpans, newSpans
}

// step is a change within a line and the unchanged part after it, in bytes.
type step struct{ removed, added, same int }

// joinScattered joins two changes if the text between them is not longer than
// the changes: 1.14.2 → 2.15.3 is easier to read as one change.
func joinScattered(steps []step) []step {
	joined := steps[:0]
	for _, s := range steps {
		for n := len(joined); n > 0; n-- {
			last := joined[n-1]
			if last.same > max(last.removed, last.added) || last.same > max(s.removed, s.added) {
				break
			}
			s.removed += last.removed + last.same
			s.added += last.added + last.same
			joined = joined[:n-1]
		}
		joined = append(joined, s)
	}
	return joined
}

// tokens cuts a line into words, runs of blanks, and single signs.
func tokens(line string) []string {
	list := make([]string, 0, len(line)/4+1)
	for len(line) > 0 {
		first, n := utf8.DecodeRuneInString(line)
		for n < len(line) && class(first) != sign {
			r, size := utf8.DecodeRuneInString(line[n:])
			if class(r) != class(first) {
				break
			}
			n += size
		}
		list = append(list, line[:n])
		line = line[n:]
	}
	return list
}

const (
	word = iota
	blank
	sign
)

func isWord(r rune) bool { return class(r) == word }

func class(r rune) int {
	switch {
	case unicode.IsLetter(r), unicode.IsDigit(r), r == '_':
		return word
	case unicode.IsSpace(r):
		return blank
	}
	return sign
}

// These limit the work for two lines, not counting equal ends: the product and
// the sum of their numbers of tokens. Beyond the limits, everything between the
// equal ends is changed.
const (
	searchLimit = 1 << 22
	tokenLimit  = 0xD800 // each distinct token is a rune below the surrogates
)

// tokenSteps returns the steps that turn one line into the other. The first
// step may change nothing.
func tokenSteps(a, b []string) []step {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	steps := []step{{same: size(a[:head])}}
	last := size(a[len(a)-tail:])
	a, b = a[head:len(a)-tail], b[head:len(b)-tail]
	if len(a)*len(b) > searchLimit || len(a)+len(b) > tokenLimit {
		return append(steps, step{size(a), size(b), last})
	}
	steps = append(steps, searchTokens(a, b)...)
	steps[len(steps)-1].same += last
	return steps
}

func size(tokens []string) int {
	n := 0
	for _, t := range tokens {
		n += len(t)
	}
	return n
}

// searchTokens compares token by token with diffmatchpatch, where a rune stands
// for each distinct token.
func searchTokens(a, b []string) []step {
	runes := make(map[string]rune, len(a)+len(b))
	var lengths []int
	encode := func(list []string) []rune {
		coded := make([]rune, len(list))
		for i, t := range list {
			r, known := runes[t]
			if !known {
				r = rune(len(lengths))
				runes[t] = r
				lengths = append(lengths, len(t))
			}
			coded[i] = r
		}
		return coded
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // no clock: the same lines always give the same spans
	var steps []step
	var s step
	for _, d := range dmp.DiffMainRunes(encode(a), encode(b), false) {
		length := 0
		for _, r := range d.Text {
			length += lengths[r]
		}
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			s.removed += length
		case diffmatchpatch.DiffInsert:
			s.added += length
		default:
			s.same = length
			steps = append(steps, s)
			s = step{}
		}
	}
	return append(steps, s)
}
