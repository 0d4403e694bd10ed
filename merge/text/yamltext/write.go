package yamltext

import (
	"strings"
	"unicode/utf8"
)

// width is the column after which text is folded.
const width = 80

func (e *emitter) text(s string) { e.styled(s, choose(s, false), false) }

// styled writes a string; keys are never folded.
func (e *emitter) styled(s string, st style, key bool) {
	outer := e.indent
	e.indent = max(2, e.indent+2)
	fold := !key && (e.place == nil || !e.decoded)
	if e.decoded && !key && st.form == doubleQuoted && strings.Contains(strings.TrimSpace(s), "\n") && strings.IndexFunc(s, acts) < 0 {
		st.form = literal
	}
	switch st.form {
	case plain:
		e.space()
		e.folded(s, fold)
		e.blank, e.fresh = false, false
	case singleQuoted:
		e.sign('\'', true, false)
		e.singleQuoted(s, fold)
		e.sign('\'', false, false)
	case doubleQuoted:
		e.sign('"', true, false)
		e.doubleQuoted(s, fold)
		e.sign('"', false, false)
	case literal:
		e.literal(s)
	}
	e.indent = outer
}

// copy writes text without a break.
func (e *emitter) copy(s string) {
	e.buf.WriteString(s)
	e.column += utf8.RuneCountInString(s)
}

// folded writes text without line breaks. A single space beyond the width
// becomes a new line. s has no space at its ends.
func (e *emitter) folded(s string, fold bool) {
	for fold && e.column+len(s) > width {
		at := 0
		if e.column <= width {
			at = skipColumns(s, width+1-e.column)
		}
		at = singleSpace(s, at)
		if at < 0 {
			break
		}
		e.copy(s[:at])
		e.startLine()
		s = s[at+1:]
	}
	e.copy(s)
}

// skipColumns returns the offset after the given number of characters of s.
func skipColumns(s string, columns int) int {
	for i := range s {
		if columns == 0 {
			return i
		}
		columns--
	}
	return len(s)
}

// singleSpace returns the offset of the first space from i on without another
// space next to it.
func singleSpace(s string, i int) int {
	for {
		n := strings.IndexByte(s[i:], ' ')
		if n < 0 {
			return -1
		}
		i += n
		end := i + 1
		for end < len(s) && s[end] == ' ' {
			end++
		}
		if end == i+1 && (i == 0 || s[i-1] != ' ') {
			return i
		}
		i = end
	}
}

func (e *emitter) singleQuoted(s string, fold bool) {
	afterSpace, afterBreak := false, false
	for i := 0; i < len(s); {
		if s[i] == ' ' {
			if fold && !afterSpace && e.column > width && i > 0 && i < len(s)-1 && s[i+1] != ' ' {
				e.startLine()
			} else {
				e.copy(" ")
			}
			afterSpace = true
			i++
			continue
		}
		if n := breakAt(s, i); n > 0 {
			e.lineBreak(s[i : i+n])
			afterBreak = true
			i += n
			continue
		}
		if afterBreak {
			e.startLine()
		}
		end := i + 1
		for end < len(s) && s[end] != ' ' && s[end] != '\'' && breakAt(s, end) == 0 {
			end++
		}
		if s[i] == '\'' {
			e.copy("'")
		}
		e.copy(s[i:end])
		e.fresh, afterSpace, afterBreak = false, false, false
		i = end
	}
}

// lineBreak writes a break as it is.
func (e *emitter) lineBreak(s string) {
	e.buf.WriteString(s)
	e.column = 0
	e.fresh = true
}

func (e *emitter) doubleQuoted(s string, fold bool) {
	mark := strings.HasPrefix(s, "\uFEFF") // then the library escapes everything
	afterSpace := false
	for i := 0; i < len(s); {
		end := i + widthAt(s, i)
		c := s[i:end]
		switch {
		case mark || c == `"` || c == `\` || !printable(c) || breakAt(s, i) > 0:
			e.escape(c)
			afterSpace = false
		case c == " ":
			if fold && !afterSpace && e.column > width && i > 0 && i < len(s)-1 {
				e.startLine()
				if s[end] == ' ' {
					e.copy(`\`)
				}
			} else {
				e.copy(c)
			}
			afterSpace = true
		default:
			e.copy(c)
			afterSpace = false
		}
		i = end
	}
}

// escape writes a character as it is escaped in double quotes.
func (e *emitter) escape(c string) {
	r, _ := utf8.DecodeRuneInString(c)
	short := "\x00\a\b\t\n\v\f\r\x1b\"\\\u00a0\u2028\u2029"
	names := `0abtnvfre"\_LP`
	digits := 0
	e.copy(`\`)
	switch n := strings.IndexRune(short, r); {
	case n >= 0:
		n = utf8.RuneCountInString(short[:n])
		e.copy(names[n : n+1])
	case r <= 0xFF:
		e.copy("x")
		digits = 2
	case r <= 0xFFFF:
		e.copy("u")
		digits = 4
	default:
		e.copy("U")
		digits = 8
	}
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		n := r >> shift & 0xF
		e.copy("0123456789ABCDEF"[n : n+1])
	}
}

// literal writes a literal block. After the | comes the indentation, if the
// first line does not show it, and a sign to drop the last newline (-) or to
// keep several (+).
func (e *emitter) literal(s string) {
	e.sign('|', true, false)
	if s[0] == ' ' || breakAt(s, 0) > 0 {
		e.copy("2")
	}
	switch last := lastBreak(s); {
	case last == 0:
		e.copy("-")
	case last == len(s), lastBreak(s[:len(s)-last]) > 0:
		e.copy("+")
	}
	e.newline()
	e.blank, e.fresh = true, true
	for s != "" {
		if n := breakAt(s, 0); n > 0 {
			e.lineBreak(s[:n])
			s = s[n:]
			continue
		}
		end := 1
		for end < len(s) && breakAt(s, end) == 0 {
			end++
		}
		e.startLine()
		e.copy(s[:end])
		e.fresh = false
		s = s[end:]
	}
}

// lastBreak is the length of the line break at the end of s, or 0; s is not
// empty.
func lastBreak(s string) int {
	_, n := utf8.DecodeLastRuneInString(s)
	return breakAt(s, len(s)-n)
}

// acts reports whether a character cannot stand in a block: it is neither text nor a tab.
func acts(r rune) bool { return r != '\t' && !printable(string(r)) || r == '\u2028' || r == '\u2029' }
