package source

import (
	"strings"
	"unicode"

	yamlv3 "go.yaml.in/yaml/v3"

	"threeway/merge/tree"
)

func (e *editor) yaml(at yamlSource, from, to any) {
	n := at.Node
	if n.Kind == yamlv3.AliasNode || n.Anchor != "" {
		e.lost = e.lost || !tree.Equal(from, to)
		return
	}
	if before, ok := from.(string); ok {
		after, ok := to.(string)
		if e.lost = e.lost || !ok; before != after {
			e.scalar(n, before, after)
		}
		return
	}
	if e.differ(from, to); e.lost {
		return
	}
	switch from := from.(type) {
	case []any:
		for i, item := range n.Content {
			e.yaml(yamlSource{item}, from[i], to.([]any)[i])
		}
	case tree.Object:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := yamlSource{n.Content[i]}
			name, ok := key.scalar()
			if !ok || key.isMerge() {
				e.lost = true
				return
			}
			e.yaml(yamlSource{n.Content[i+1]}, from[name], to.(tree.Object)[name])
		}
	}
}

// scalar replaces a string in its own style, if that is possible without
// looking at the text around it.
func (e *editor) scalar(n *yamlv3.Node, before, after string) {
	text, start := e.doc.Text, e.doc.nodeOffset(n)
	end, replacement := -1, quote(after, false)
	switch {
	case start >= len(text):
	case n.Style == yamlv3.DoubleQuotedStyle && text[start] == '"':
		end = closingQuote(text, start, '\\')
	case n.Style == yamlv3.SingleQuotedStyle && text[start] == '\'':
		end = closingQuote(text, start, '\'')
		if escapeless(after) {
			replacement = "'" + strings.ReplaceAll(after, "'", "''") + "'"
		}
	case n.Style == yamlv3.LiteralStyle && text[start] == '|', n.Style == yamlv3.FoldedStyle && text[start] == '>':
		end, replacement = e.block(start, before, after)
	case n.Style == 0 && before != "" && strings.HasPrefix(text[start:], before):
		end = start + len(before)
		if isWord(after) {
			replacement = after
		}
	}
	if end < 0 {
		e.lost = true
		return
	}
	e.edits = append(e.edits, edit{start, end, replacement})
}

// closingQuote returns the offset after the quote that closes the one at start,
// or -1. In double quotes a backslash escapes, in single quotes a quote itself.
func closingQuote(text string, start int, escape byte) int {
	quote := text[start]
	for i := start + 1; i < len(text); i++ {
		switch {
		case text[i] == escape && escape == '\\', text[i] == quote && escape == quote && strings.HasPrefix(text[i+1:], string(quote)):
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return -1
}

// block replaces a block scalar: only its lines, if it is literal and both
// texts end in the same way; otherwise the whole scalar, by a quoted string.
func (e *editor) block(start int, before, after string) (end int, replacement string) {
	text := e.doc.Text
	header, _, _ := strings.Cut(text[start:], "\n")
	pos, indent := start+len(header)+1, -1
	end = pos - 1
	for pos < len(text) {
		line, _, _ := strings.Cut(text[pos:], "\n")
		content := strings.TrimLeft(line, " ")
		if content != "" {
			deep := len(line) - len(content)
			if indent < 0 {
				indent = deep
			}
			if deep < indent || strings.HasPrefix(line, "---") || strings.HasPrefix(line, "...") {
				break
			}
			end = pos + len(line)
		}
		pos += len(line) + 1
	}
	if indent < 0 || strings.ContainsAny(header, "123456789") {
		return -1, ""
	}
	lines := strings.Split(strings.TrimRight(after, "\n"), "\n")
	if text[start] != '|' || trailing(before) != trailing(after) || strings.HasPrefix(after, " ") || !escapeless(strings.Join(lines, "")) {
		return end, quote(after, false)
	}
	var b strings.Builder
	b.WriteString(header)
	for _, line := range lines {
		b.WriteByte('\n')
		if line != "" {
			b.WriteString(strings.Repeat(" ", indent))
		}
		b.WriteString(line)
	}
	return end, b.String()
}

// trailing counts the line breaks at the end.
func trailing(s string) int { return len(s) - len(strings.TrimRight(s, "\n")) }

// escapeless reports whether a text needs no escapes in YAML.
func escapeless(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r != '\t' && !unicode.IsPrint(r) })
}

// isWord reports whether a string needs no quotes anywhere in YAML.
func isWord(s string) bool {
	if s == "" || !strings.ContainsAny(s[:1], "abcdefghijklmnopqrstuvwxyz") || len(s) < 8 {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("+/=-", r))
	})
}
