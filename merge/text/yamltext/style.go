package yamltext

import (
	"strings"
	"unicode/utf8"
)

// style is the style of a scalar.
type style struct {
	form form
	key  bool // a key is on one line with its colon
}

type form byte

const (
	plain form = iota
	singleQuoted
	doubleQuoted
	literal
)

// longestKey is the length up to which a key needs no "? " before it.
const longestKey = 128

// choose picks the style (encode.go, stringv; emitterc.go,
// yaml_emitter_select_scalar_style).
func choose(s string, key bool) style {
	a := analyze(s)
	key = key && !a.breaks && len(s) <= longestKey
	f := doubleQuoted
	switch {
	case a.newline:
		if a.blockAllowed() {
			f = literal
		}
	case !readsAsString(s):
	case a.plainAllowed():
		f = plain
	case a.singleAllowed():
		f = singleQuoted
	}
	return style{f, key}
}

// analysis has the properties of a string that decide its style (emitterc.go,
// yaml_emitter_analyze_scalar).
type analysis struct {
	newline       bool // has \n
	breaks        bool // has any line break
	special       bool // has characters that only double quotes can show
	indicator     bool // has something with a special meaning when unquoted
	edge          bool // starts or ends with a blank or break
	trailingSpace bool
	breakSpace    bool // has a space after a break
	spaceBreak    bool // has a break after a space
}

func (a analysis) plainAllowed() bool {
	return !(a.breaks || a.special || a.indicator || a.edge)
}

func (a analysis) singleAllowed() bool {
	return !(a.breakSpace || a.spaceBreak || a.special)
}

func (a analysis) blockAllowed() bool {
	return !(a.trailingSpace || a.spaceBreak || a.special)
}

func analyze(s string) analysis {
	var a analysis
	if s == "" {
		return a
	}
	a.indicator = indicatesAtStart(s)
	a.trailingSpace = s[len(s)-1] == ' '
	a.edge = a.trailingSpace || s[0] == ' ' || breakAt(s, 0) > 0
	var last byte // ' ' and '\n' for a space and any break
	for i := 0; i < len(s); {
		c := s[i]
		if c > ' ' && c < 0x7F && c != ':' && c != '#' {
			last = c
			i++
			continue
		}
		width := 1
		switch {
		case c == ':':
			a.indicator = a.indicator || blankAt(s, i+1)
		case c == '#':
			a.indicator = a.indicator || last == ' ' || last == '\t' || last == '\n'
		case c == ' ':
			a.breakSpace = a.breakSpace || last == '\n'
		default:
			width = widthAt(s, i)
			a.special = a.special || !printable(s[i:i+width])
			if n := breakAt(s, i); n > 0 {
				a.newline = a.newline || c == '\n'
				a.breaks = true
				a.spaceBreak = a.spaceBreak || last == ' '
				a.edge = a.edge || i+n == len(s)
				c = '\n'
			}
		}
		last = c
		i += width
	}
	return a
}

// indicatesAtStart reports whether s starts like something other than text.
func indicatesAtStart(s string) bool {
	switch s[0] {
	case '#', ',', '[', ']', '{', '}', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`':
		return true
	case '?', '-':
		return blankAt(s, 1) || strings.HasPrefix(s, "---")
	}
	return strings.HasPrefix(s, "...")
}

// blankAt reports whether a space, a tab or the end is at i.
func blankAt(s string, i int) bool { return i >= len(s) || s[i] == ' ' || s[i] == '\t' }

// breakAt is the length of the line break at i, or 0: CR, LF, LS, PS. A clean
// string has no NEL.
func breakAt(s string, i int) int {
	switch c := s[i]; {
	case c == '\n', c == '\r':
		return 1
	case c == 0xE2 && s[i+1] == 0x80 && (s[i+2] == 0xA8 || s[i+2] == 0xA9):
		return 3
	}
	return 0
}

func widthAt(s string, i int) int {
	_, width := utf8.DecodeRuneInString(s[i:])
	return width
}

// printable reports whether a character need not be escaped
// (yamlprivateh.go, is_printable, which knows none beyond U+FFFF).
func printable(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	switch {
	case r < 0x7F:
		return r >= ' ' || r == '\n'
	case r < 0xA0, r == 0xFEFF:
		return false
	}
	return r < 0xFFFE
}

// clean returns s as it is after JSON and the YAML reader: each byte that is
// not UTF-8 becomes U+FFFD. U+0085 is a line break for the reader and is folded
// with the blanks around it: one becomes a space, several become newlines.
func clean(s string) string {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	const nel = "\u0085"
	if !strings.Contains(s, nel) {
		return s
	}
	var b strings.Builder
	for s != "" {
		text := strings.TrimLeft(s, " "+nel)
		gap := s[:len(s)-len(text)]
		switch n := strings.Count(gap, nel); n {
		case 0:
			b.WriteString(gap)
		case 1:
			b.WriteByte(' ')
		default:
			b.WriteString(strings.Repeat("\n", n-1))
		}
		end := strings.IndexAny(text, " "+nel)
		if end < 0 {
			end = len(text)
		}
		b.WriteString(text[:end])
		s = text[end:]
	}
	return b.String()
}
