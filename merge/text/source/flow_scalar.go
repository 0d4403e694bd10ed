package source

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// plain decodes a plain scalar, which may span several lines.
func (p *flowParser) plain(k *Keep) (any, bool) {
	if !startsFlowPlain(p.text[p.pos:]) {
		return nil, false
	}
	first, ok := p.plainLine()
	if !ok {
		return nil, false
	}
	var b []byte
	several := false
	for p.pos < len(p.text) && p.text[p.pos] == '\n' {
		line, breaks := p.pos, 0
		for p.pos < len(p.text) && (p.text[p.pos] == '\n' || p.text[p.pos] == ' ') {
			if p.text[p.pos] == '\n' {
				breaks++
				if indicatesDocument(p.text[p.pos+1:]) {
					return nil, false
				}
			}
			p.pos++
		}
		if p.pos == len(p.text) {
			return nil, false
		}
		if c := p.text[p.pos]; c == ',' || c == ']' || c == '}' || c == '#' {
			p.pos = line
			break
		}
		more, ok := p.plainLine()
		if !ok || more == "" {
			return nil, false
		}
		several = true
		if k != nil {
			if b == nil {
				b = append(b, first...)
			}
			b = append(appendBreaks(b, breaks-1), more...)
		}
	}
	if several {
		return string(b), true
	}
	return plainValue(first, k)
}

// startsFlowPlain reports whether a plain scalar in flow style may begin as s does.
func startsFlowPlain(s string) bool {
	return s != "" && startsPlain(s) && s[0] != ':' && s[0] != '?' && !strings.HasPrefix(s, "-\n")
}

// plainLine moves to the end of the part of a plain scalar that is on one line.
func (p *flowParser) plainLine() (text string, ok bool) {
	begin := p.pos
	for ; p.pos < len(p.text); p.pos++ {
		switch p.text[p.pos] {
		case ',', ']', '}', '\n':
			return strings.TrimRight(p.text[begin:p.pos], " "), true
		case '#':
			if p.pos > begin && p.text[p.pos-1] == ' ' {
				return strings.TrimRight(p.text[begin:p.pos], " "), true
			}
		case ':':
			if next := p.text[p.pos+1:]; next == "" || strings.IndexByte(" \n,]}[{", next[0]) >= 0 {
				return "", false
			}
		case '{', '[', '?', '\t':
			return "", false
		}
	}
	return "", false
}

// quoted decodes a scalar in quotes, or only moves past it.
func (p *flowParser) quoted(build bool) (string, bool) {
	if p.text[p.pos] == '"' {
		return p.double(build)
	}
	return p.single(build)
}

// double decodes a scalar in double quotes, or only moves past it.
func (p *flowParser) double(build bool) (string, bool) {
	text := p.text
	begin := p.pos + 1
	for i := begin; i < len(text); {
		if i+8 <= len(text) {
			n := plainBytes(word(text[i:]))
			if i += n; n == 8 {
				continue
			}
		}
		switch c := text[i]; {
		case c == '"':
			p.pos = i + 1
			if !build {
				return "", true
			}
			return text[begin:i], true
		case c == '\\', c == '\n':
			return p.doubleLines(begin, i, build)
		}
		i++
	}
	return "", false
}

// doubleLines is double for a scalar with escapes or line breaks; it begins at
// the first of them.
func (p *flowParser) doubleLines(begin, i int, build bool) (string, bool) {
	var b []byte
	text, from := p.text, begin // text[from:] is not in b yet
	for i < len(text) {
		if i+8 <= len(text) {
			n := plainBytes(word(text[i:]))
			if i += n; n == 8 {
				continue
			}
			if !build && text[i:min(i+2, len(text))] == `\"` { // JSON in a string has many
				i += 2
				continue
			}
		}
		switch c := text[i]; {
		case c == '"':
			p.pos = i + 1
			if !build {
				return "", true
			}
			return string(append(b, text[from:i]...)), true
		case c == '\n' || c == '\\' && strings.HasPrefix(text[i+1:], "\n"):
			kept, escaped := text[from:i], c == '\\'
			if !escaped {
				kept = strings.TrimRight(kept, " \t")
			} else {
				i++
			}
			next, breaks, ok := foldLines(text, i)
			if !ok {
				return "", false
			}
			if build {
				b = append(b, kept...)
				if breaks > 0 || !escaped {
					b = appendBreaks(b, breaks)
				}
			}
			i, from = next, next
		case c == '\\':
			r, length := yamlEscape(text[i:])
			if length == 0 {
				return "", false
			}
			if build {
				b = utf8.AppendRune(append(b, text[from:i]...), r)
			}
			i += length
			from = i
			// A blank that was written as an escape must not be trimmed.
			if build && i < len(text) && (text[i] == '\n' || text[i] == ' ' || text[i] == '\t') {
				continue
			}
		default:
			i++
		}
	}
	return "", false
}

// foldLines moves from a line break to the next character that is not a blank,
// and counts the empty lines in between.
func foldLines(text string, i int) (next, blanks int, ok bool) {
	for blanks = -1; i < len(text); i++ {
		switch text[i] {
		case '\n':
			blanks++
			if indicatesDocument(text[i+1:]) {
				return 0, 0, false
			}
		case ' ', '\t':
		default:
			return i, blanks, true
		}
	}
	return 0, 0, false
}

// single decodes a scalar in single quotes, or only moves past it.
func (p *flowParser) single(build bool) (string, bool) {
	text := p.text
	var b []byte
	from := p.pos + 1
	for i := from; i < len(text); {
		switch text[i] {
		case '\'':
			if build {
				b = append(b, text[from:i]...)
			}
			if from = i + 1; !strings.HasPrefix(text[from:], "'") {
				p.pos = from
				if !build {
					return "", true
				}
				return string(b), true
			}
			i += 2
		case '\n':
			next, breaks, ok := foldLines(text, i)
			if !ok {
				return "", false
			}
			if build {
				b = appendBreaks(append(b, strings.TrimRight(text[from:i], " \t")...), breaks)
			}
			i, from = next, next
		default:
			i++
		}
	}
	return "", false
}

// yamlEscape decodes the escape at the beginning of s; its length is 0 if there
// is no such escape (go.yaml.in/yaml/v2 yaml_parser_scan_flow_scalar).
func yamlEscape(s string) (r rune, length int) {
	if len(s) < 2 {
		return 0, 0
	}
	switch s[1] {
	case '"', '\\':
		return rune(s[1]), 2
	case 'n':
		return '\n', 2
	}
	if n := strings.IndexByte("0abt\tnvfre \"'\\N_LP", s[1]); n >= 0 {
		return []rune("\x00\a\b\t\t\n\v\f\r\x1b \"'\\\u0085\u00a0\u2028\u2029")[n], 2
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[1]]
	if digits == 0 || len(s) < 2+digits {
		return 0, 0
	}
	n, err := strconv.ParseUint(s[2:2+digits], 16, 32)
	if r = rune(n); err != nil || n > utf8.MaxRune || !utf8.ValidRune(r) {
		return 0, 0
	}
	return r, 2 + digits
}
