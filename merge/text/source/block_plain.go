package source

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// startsPlain reports whether a plain scalar may begin as s does.
func startsPlain(s string) bool {
	switch s[0] {
	case '-', '?', ':':
		return len(s) > 1 && s[1] != ' '
	case ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`', ' ':
		return false
	}
	return true
}

// plain decodes a plain scalar, which continues on the lines below that are
// indented more than its parent.
func (p *blockParser) plain(at, column int, k *Keep) (any, bool) {
	if !startsPlain(p.text[at:p.end]) {
		return nil, false
	}
	first, comment, ok := plainLine(p.text[at:p.end])
	if !ok {
		return nil, false
	}
	var b []byte
	several := false
	for !comment {
		line := p.end + 1
		breaks, ended := 0, false
		start := line
		for {
			if start = p.indented(line); start == len(p.text) {
				ended = true
				break
			}
			if p.text[start] != '\n' {
				break
			}
			breaks++
			line = start + 1
		}
		if ended || start-line <= column || p.text[start] == '#' {
			break
		}
		p.at, p.end = start, start+strings.IndexByte(p.text[start:], '\n')
		if p.odd() {
			return nil, false
		}
		var more string
		if more, comment, ok = plainLine(p.text[start:p.end]); !ok {
			return nil, false
		}
		several = true
		if k != nil {
			if b == nil {
				b = append(b, first...)
			}
			b = append(appendBreaks(b, breaks), more...)
		}
	}
	p.next()
	if several {
		return string(b), true
	}
	return plainValue(first, k)
}

// indented returns the offset of the first character of a line that is not a
// space. That may be the line break or the end of the text.
func (p *blockParser) indented(line int) int {
	for line < len(p.text) && p.text[line] == ' ' {
		line++
	}
	return line
}

// appendBreaks folds a line break and the blank lines after it.
func appendBreaks(b []byte, blanks int) []byte {
	if blanks == 0 {
		return append(b, ' ')
	}
	for range blanks {
		b = append(b, '\n')
	}
	return b
}

// plainLine cuts a comment and spaces from a line of a plain scalar. ok is
// false if the line looks like a key.
func plainLine(s string) (text string, comment, ok bool) {
	if !structural(s) {
		return s, false, true
	}
	for from := 0; ; {
		i := strings.IndexByte(s[from:], ':')
		if i < 0 {
			break
		}
		if from += i + 1; from == len(s) || s[from] == ' ' {
			return "", false, false
		}
	}
	if i := strings.Index(s, " #"); i >= 0 {
		s, comment = s[:i], true
	}
	return strings.TrimRight(s, " "), comment, true
}

// structural reports whether a line has a colon, a comment sign, or a blank at
// its end.
func structural(s string) bool {
	const ones = 0x0101010101010101
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := word(s[i:])
		colon, comment := w^':'*ones, w^'#'*ones
		if ((colon-ones)&^colon|(comment-ones)&^comment)&allBytes != 0 {
			return true
		}
	}
	for ; i < len(s); i++ {
		if s[i] == ':' || s[i] == '#' {
			return true
		}
	}
	return s != "" && s[len(s)-1] == ' '
}

// class says what a plain scalar is.
type class uint8

const (
	isText class = iota
	isInteger
	isNull
	isTrue
	isFalse
	isOdd // an unusual number, or text that might be one
)

// keyword classifies the words that YAML 1.1 does not read as text, as go-yaml
// does (resolve.go).
func keyword(s string) class {
	switch s {
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return isTrue
	case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return isFalse
	case "", "~", "null", "Null", "NULL":
		return isNull
	case ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF", "<<":
		return isOdd
	}
	return isText
}

// longestKeyword is the length of the longest one that begins with a letter.
const longestKeyword = 5

// letters counts the letters at the beginning of a text. More of them than a
// keyword has are text.
func letters(s string) (n int) {
	for n < len(s) && 'a' <= s[n]|0x20 && s[n]|0x20 <= 'z' {
		n++
	}
	return n
}

// classify says what a plain scalar of one line is.
func classify(s string) class {
	if c := s[0] | 0x20; 'a' <= c && c <= 'z' && (len(s) > longestKeyword || strings.IndexByte("fnoty", c) < 0) {
		return isText // no keyword begins like that
	}
	if len(s) <= 5 {
		if c := keyword(s); c != isText {
			return c
		}
	}
	switch c := s[0]; {
	case '1' <= c && c <= '9', c == '0' && len(s) == 1:
	case c == '-', c == '+', c == '.', c == '0':
		return number(s)
	default:
		return isText
	}
	if len(s) > 18 {
		return number(s)
	}
	for i := 1; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return number(s)
		}
	}
	return isInteger
}

// number distinguishes texts such as 10.0.0.1, 250Mi, 5d59d67564 and
// 2026-01-01T00:00:00Z from possible numbers.
func number(s string) class {
	// Underscores are ignored everywhere, even between 0 and x.
	if prefix := strings.TrimLeft(strings.ReplaceAll(s, "_", ""), "+-"); strings.HasPrefix(prefix, "0") && len(prefix) > 1 && strings.IndexByte("xXoObB", prefix[1]) >= 0 {
		return isOdd
	}
	digits, dots := 0, 0
	for _, c := range []byte(s) {
		switch {
		case '0' <= c && c <= '9':
			digits++
		case c == '.':
			dots++
		case c == 'e', c == 'E', c == '_', c == '+', c == '-':
		default:
			return isText
		}
	}
	if digits == 0 || dots > 1 {
		return isText
	}
	return isOdd
}

// plainValue returns the value of a plain scalar of one line.
func plainValue(s string, k *Keep) (any, bool) {
	switch classify(s) {
	case isText:
		if k == nil {
			return nil, true
		}
		return s, true
	case isInteger:
		if k == nil {
			return nil, true
		}
		n, err := strconv.ParseInt(s, 10, 64)
		return n, err == nil
	case isNull:
		return nil, true
	case isTrue:
		return true, true
	case isFalse:
		return false, true
	}
	if strings.HasPrefix(s, "---") || s == "<<" {
		return nil, false
	}
	return general(s)
}

// plainText reports whether a text has only characters that YAML allows, and no
// line break other than \n.
func plainText(s string) bool {
	for i := 0; i < len(s); {
		for i+8 <= len(s) && printable(word(s[i:])) == allBytes {
			i += 8
		}
		for stop := min(i+8, len(s)); i < stop; {
			switch c := s[i]; {
			case c == '\n', c == '\t', 0x20 <= c && c < 0x7f:
				i++
			case c < utf8.RuneSelf:
				return false
			default:
				r, size := utf8.DecodeRuneInString(s[i:])
				if r < 0xA0 || r == 0x2028 || r == 0x2029 || r == 0xFEFF || r == 0xFFFE || r == 0xFFFF || r == utf8.RuneError && size == 1 {
					return false
				}
				i += size
			}
		}
	}
	return true
}

// allBytes has the high bit of eight bytes.
const allBytes = 0x8080808080808080

// printable sets the high bit of each of eight bytes that is from 0x20 to 0x7e
// or a line break. Adding to the low bits never carries into the next byte.
func printable(w uint64) uint64 {
	const ones, low = 0x0101010101010101, 0x7f7f7f7f7f7f7f7f
	blank := (w & low) + (0x80-' ')*ones
	noBreak := (w^'\n'*ones)&low + low
	delete := (w & low) + ones
	return (blank | ^noBreak) &^ delete &^ w & allBytes
}
