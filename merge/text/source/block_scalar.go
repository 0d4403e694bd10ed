package source

import (
	"strings"

	"go.yaml.in/yaml/v2"
)

// scalar decodes the value at an offset of the current line, and moves to the
// line after it. column is the column of the mapping or list that contains it.
func (p *blockParser) scalar(at, column int, k *Keep) (any, bool) {
	if c := p.text[at]; k == Type && (c == '|' || c == '>' || c == '"' || c == '\'') {
		_, ok := p.scalar(at, column, nil)
		return "", ok
	}
	switch p.text[at] {
	case '|':
		return p.literal(at, column, k)
	case '>':
		return p.folded(at, column, k)
	case '"', '\'':
		return p.quoted(at, column, k)
	case '[', '{':
		return p.flow(at, k)
	}
	return p.plain(at, column, k)
}

// general decodes a value with the general parser.
func general(text string) (any, bool) {
	var v any
	if yaml.Unmarshal([]byte(text), &v) != nil {
		return nil, false
	}
	v, err := (&plainer{}).value(v)
	return v, err == nil
}

// flowLine decodes a flow collection on one line with the general parser.
func (p *blockParser) flowLine(at int) (any, bool) {
	text := p.text[at:p.end]
	if p.odd() || p.limit.tooGeneral(len(text)) != nil {
		return nil, false
	}
	root, twice, err := decodeGeneral("a: " + text + "\n")
	object, isObject := root.(map[string]any)
	if err != nil || !isObject || len(object) != 1 {
		return nil, false
	}
	p.twice = p.twice || twice
	p.next()
	return object["a"], true
}

// folded decodes a folded scalar with the general parser, which needs only its
// lines.
func (p *blockParser) folded(at, column int, k *Keep) (any, bool) {
	if _, given, _ := blockHeader(p.text[at+1 : p.end]); given > 0 {
		return nil, false
	}
	if _, ok := p.literal(at, column, nil); !ok {
		return nil, false
	}
	if k == nil {
		return nil, true
	}
	v, ok := general("a: " + p.text[at:p.block])
	object, isObject := v.(map[string]any)
	return object["a"], ok && isObject
}

// blockHeader reads the text after | or >: how trailing line breaks are kept,
// and the indentation, 0 if not given.
func blockHeader(s string) (chomp byte, indent int, ok bool) {
	if i := strings.Index(s, " #"); i >= 0 {
		s = s[:i]
	}
	for _, c := range []byte(strings.TrimRight(s, " ")) {
		switch {
		case (c == '-' || c == '+') && chomp == 0:
			chomp = c
		case '1' <= c && c <= '9' && indent == 0:
			indent = int(c - '0')
		default:
			return 0, 0, false
		}
	}
	return chomp, indent, true
}

// blockIndent finds the indentation of a block scalar by its first line with
// content: its offset, or -1 if there is none or if blank lines are indented
// more.
func (p *blockParser) blockIndent(start int) (line, indent int) {
	blanks := 0
	for line = start; line < len(p.text); {
		first := p.indented(line)
		if first == len(p.text) {
			break
		}
		if p.text[first] != '\n' {
			if indent = first - line; blanks > indent || p.text[first] == '\t' {
				break
			}
			return line, indent
		}
		blanks = max(blanks, first-line)
		line = first + 1
	}
	return -1, 0
}

// literal decodes a literal scalar: the lines below that are indented more
// than column.
func (p *blockParser) literal(at, column int, k *Keep) (any, bool) {
	chomp, given, ok := blockHeader(p.text[at+1 : p.end])
	start := p.end + 1
	line, indent := start, column+given
	if given == 0 {
		line, indent = p.blockIndent(start)
	}
	if !ok || line < 0 || indent <= column {
		return nil, false
	}
	var b []byte
	if k != nil {
		for range strings.Count(p.text[start:line], "\n") {
			b = append(b, '\n')
		}
	}
	last := 0 // the beginning of the line after the last one with content
	kept := len(b)
	for line < len(p.text) {
		end := line + strings.IndexByte(p.text[line:], '\n')
		first := line
		for first < end && first-line < indent && p.text[first] == ' ' {
			first++
		}
		if first < end && first-line < indent {
			if p.text[first] == '\t' {
				return nil, false
			}
			break
		}
		if k != nil {
			b = append(b, p.text[first:end+1]...)
		}
		if first < end {
			last, kept = end+1, len(b)
		}
		line = end + 1
	}
	if last == 0 {
		return nil, false
	}
	p.block = line
	p.end = last - 1
	p.next()
	if k == nil {
		return nil, true
	}
	switch chomp {
	case '-':
		kept--
	case '+':
		kept = len(b)
	}
	return string(b[:kept]), true
}

// quoted decodes a quoted scalar, which may continue on lines that are indented
// more than column.
func (p *blockParser) quoted(at, column int, k *Keep) (any, bool) {
	s, after, ok := unquote(p.text[at:p.end], k != nil)
	switch {
	case !ok:
		return p.quotedLines(at, column, k)
	case !p.ends(at + after):
		return nil, false
	}
	p.next()
	if k == nil {
		return nil, true
	}
	return s, true
}

// ends reports whether nothing but a comment follows on the line.
func (p *blockParser) ends(at int) bool {
	rest := p.skipBlanks(at)
	return rest == p.end || p.text[rest] == '#' && rest > at
}

// quotedLines decodes a quoted scalar over several lines.
func (p *blockParser) quotedLines(at, column int, k *Keep) (any, bool) {
	quote := p.text[at]
	end := p.closing(at+1, quote)
	if end < 0 {
		return nil, false
	}
	// Every line must be indented, so that none can be structure.
	for line := p.end + 1; line <= end; {
		first := p.indented(line)
		if first == len(p.text) || p.text[first] != '\n' && first-line <= column || p.text[first] == '\t' {
			return nil, false
		}
		next := strings.IndexByte(p.text[first:], '\n')
		p.at, p.end = first, first+next
		line = first + next + 1
	}
	if !p.ends(end + 1) {
		return nil, false
	}
	f := newFlowParser(p.text, at)
	v, ok := f.quoted(k != nil)
	p.next()
	return v, ok && f.pos == end+1
}

// closing finds the quote that ends a scalar, or -1.
func (p *blockParser) closing(at int, quote byte) int {
	for ; at < len(p.text); at++ {
		switch c := p.text[at]; {
		case c == '\\' && quote == '"':
			at++
		case c == quote && quote == '\'' && strings.HasPrefix(p.text[at+1:], "'"):
			at++
		case c == quote:
			return at
		}
	}
	return -1
}

// unquote decodes the quoted scalar at the beginning of s, or only finds its
// end; after is its length. It handles only the common escapes.
func unquote(s string, build bool) (text string, after int, ok bool) {
	quote := s[0]
	var b []byte
	from := 1
	for i := 1; i < len(s); i++ {
		c := s[i]
		escaped := c
		switch {
		case c == quote && quote == '\'' && i+1 < len(s) && s[i+1] == '\'':
		case c == quote:
			if b == nil {
				return s[1:i], i + 1, true
			}
			return string(append(b, s[from:i]...)), i + 1, true
		case c == '\\' && quote == '"':
			n := -1
			if i+1 < len(s) {
				n = strings.IndexByte("\"\\nt", s[i+1])
			}
			if n < 0 {
				return "", 0, false
			}
			escaped = "\"\\\n\t"[n]
		default:
			continue
		}
		if build {
			b = append(append(b, s[from:i]...), escaped)
		}
		i++
		from = i + 1
	}
	return "", 0, false
}
