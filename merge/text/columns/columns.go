// Package columns measures how many columns a text takes on a terminal, and
// breaks it into lines that fit.
package columns

import (
	"strings"
	"unicode"
)

// wide are the characters that take two columns: East Asian scripts, full-width
// forms, and pictures.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1},
		{Lo: 0x231a, Hi: 0x231b, Stride: 1},
		{Lo: 0x23e9, Hi: 0x23ec, Stride: 1},
		{Lo: 0x2614, Hi: 0x2615, Stride: 1},
		{Lo: 0x2705, Hi: 0x2705, Stride: 1},
		{Lo: 0x274c, Hi: 0x274c, Stride: 1},
		{Lo: 0x2753, Hi: 0x2755, Stride: 1},
		{Lo: 0x2795, Hi: 0x2797, Stride: 1},
		{Lo: 0x2e80, Hi: 0x303e, Stride: 1},
		{Lo: 0x3041, Hi: 0x33ff, Stride: 1},
		{Lo: 0x3400, Hi: 0x4dbf, Stride: 1},
		{Lo: 0x4e00, Hi: 0x9fff, Stride: 1},
		{Lo: 0xa000, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1},
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		{Lo: 0xfe30, Hi: 0xfe4f, Stride: 1},
		{Lo: 0xff00, Hi: 0xff60, Stride: 1},
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1},
		{Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1},
		{Lo: 0x1f900, Hi: 0x1f9ff, Stride: 1},
		{Lo: 0x1fa70, Hi: 0x1faff, Stride: 1},
		{Lo: 0x20000, Hi: 0x3fffd, Stride: 1},
	},
}

// Of returns how many columns a character takes.
func Of(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// Width returns how many columns a text takes. What colors it takes none.
func Width(s string) (n int) {
	each(s, func(_, columns int) bool { n += columns; return true })
	return n
}

// Cut is the part of a text that fits into n columns, at least one character.
func Cut(s string, n int) string {
	used, cut := 0, s
	each(s, func(i, columns int) bool {
		if used += columns; used > n && i > 0 {
			cut = s[:i]
		}
		return len(cut) == len(s)
	})
	return cut
}

// each yields where the characters of a text begin and how many columns they take, until it returns
// false.
func each(s string, yield func(at, columns int) bool) {
	coloring := false // ESC [ 3 1 m
	for i, r := range s {
		columns := 0
		switch {
		case coloring:
			coloring = r != 'm'
		case r == '\x1b':
			coloring = true
		default:
			columns = Of(r)
		}
		if !yield(i, columns) {
			return
		}
	}
}

// Fold breaks a text at blanks into lines of at most n columns. It leaves room
// for indenting the lines after the first. A longer word stays whole, so that
// it can be copied. 0 columns means no limit.
func Fold(s string, n, indent int) (lines []string) {
	for n > 0 && Width(s) > n {
		at := strings.LastIndexByte(Cut(s, n+1), ' ')
		if at <= 0 {
			if at = strings.IndexByte(s[1:], ' ') + 1; at == 0 {
				break
			}
		}
		if lines == nil {
			n = max(n-indent, 1)
		}
		lines, s = append(lines, s[:at]), strings.TrimLeft(s[at:], " ")
	}
	return append(lines, s)
}

// FoldPath breaks a path that is longer than n columns between its steps. A longer step
// stays whole.
func FoldPath(s string, n, indent int) (lines []string) {
	for n > 0 && Width(s) > n {
		at := lastStep(s, n)
		if at == 0 {
			break
		}
		if lines == nil {
			n = max(n-indent, 1)
		}
		lines, s = append(lines, s[:at]), s[at:]
	}
	return append(lines, s)
}

// lastStep is where the last step of a path begins before which n columns are enough, or else
// its second step; 0 if it has none.
func lastStep(s string, n int) (at int) {
	used, inside, quoted := 0, false, false
	for i, r := range s {
		switch {
		case inside:
			if r == '"' && s[i-1] != '\\' {
				quoted = !quoted
			}
			inside = r != ']' || quoted
		case r == '.', r == '[':
			if used > n && at > 0 {
				return at
			}
			if at = i; used > n {
				return at
			}
			inside = r == '['
		}
		used += Of(r)
	}
	return at
}
