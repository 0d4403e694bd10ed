package argocd

import (
	"slices"
	"strconv"
	"strings"

	"threeway/merge/tree"
)

// expression is a jq path of the kind that people write in jqPathExpressions: fields,
// items of lists, and items selected by a value. A library for all of jq would add
// more than a megabyte to the program.
type expression []part

// part is one step of an expression.
type part struct {
	field    string     // .field, ["field"]
	index    int        // [0]
	all      bool       // []
	isIndex  bool       // index counts
	selected expression // select(.a.b == value): the path
	value    any        // and the value
	equal    bool       // == or !=
	isSelect bool
}

// parseExpression reads a path: .spec.containers[] | select(.name == "a") | .image.
func parseExpression(text string) (e expression, ok bool) {
	for _, piece := range split(text, '|') {
		piece = strings.TrimSpace(piece)
		inner, isSelect := strings.CutPrefix(piece, "select(")
		if !isSelect {
			steps, ok := parsePath(piece)
			if !ok {
				return nil, false
			}
			e = append(e, steps...)
			continue
		}
		inner, closed := strings.CutSuffix(inner, ")")
		p, ok := parseCondition(inner)
		if !closed || !ok {
			return nil, false
		}
		e = append(e, p)
	}
	last := len(e) - 1 // a selection that ends the path removes items of a list
	return e, !e[last].isSelect || last > 0 && e[last-1].all
}

// split divides a text at a character outside of quotes and parentheses.
func split(text string, at byte) (pieces []string) {
	depth, quoted, from := 0, false, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == at && depth == 0:
			pieces, from = append(pieces, text[from:i]), i+1
		}
	}
	return append(pieces, text[from:])
}

func parseCondition(text string) (p part, ok bool) {
	for _, op := range []string{"==", "!="} {
		left, right, found := strings.Cut(text, op)
		if !found {
			continue
		}
		path, isPath := parsePath(strings.TrimSpace(left))
		value, isValue := parseValue(strings.TrimSpace(right))
		return part{isSelect: true, selected: path, value: value, equal: op == "=="}, isPath && isValue
	}
	return part{}, false
}

func parseValue(text string) (any, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	switch text {
	case "true", "false":
		return text == "true", true
	case "null":
		return nil, true
	}
	s, err := strconv.Unquote(text)
	return s, err == nil && text[0] == '"'
}

// parsePath reads .a.b["c"][0][]?.
func parsePath(text string) (e expression, ok bool) {
	if !strings.HasPrefix(text, ".") {
		return nil, false
	}
	for text != "" {
		switch {
		case text[0] == '?':
			text = text[1:]
		case strings.HasPrefix(text, ".["), strings.HasPrefix(text, `."`):
			text = text[1:]
		case text[0] == '.':
			name := text[1:]
			if end := strings.IndexFunc(name, func(c rune) bool {
				return c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
			}); end >= 0 {
				name = name[:end]
			}
			if name == "" || name[0] >= '0' && name[0] <= '9' {
				return nil, false
			}
			e, text = append(e, part{field: name}), text[1+len(name):]
		case text[0] == '"':
			name, rest, ok := quotedName(text)
			if !ok {
				return nil, false
			}
			e, text = append(e, part{field: name}), rest
		case text[0] == '[':
			p, rest, ok := parseBrackets(text[1:])
			if !ok {
				return nil, false
			}
			e, text = append(e, p), rest
		default:
			return nil, false
		}
	}
	return e, true
}

func parseBrackets(text string) (p part, rest string, ok bool) {
	if strings.HasPrefix(text, `"`) {
		name, rest, ok := quotedName(text)
		rest, closed := strings.CutPrefix(rest, "]")
		return part{field: name}, rest, ok && closed
	}
	inside, rest, closed := strings.Cut(text, "]")
	if inside == "" {
		return part{all: true}, rest, closed
	}
	i, err := strconv.Atoi(inside)
	return part{index: i, isIndex: true}, rest, closed && err == nil && i >= 0
}

func quotedName(text string) (name, rest string, ok bool) {
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", "", false
	}
	name, err = strconv.Unquote(quoted)
	return name, text[len(quoted):], err == nil
}

// remove deletes all that the expression leads to, as jq's del does.
func (e expression) remove(v any) any {
	if len(e) == 0 {
		return v
	}
	p, rest := e[0], e[1:]
	switch parent := v.(type) {
	case map[string]any:
		for _, key := range tree.Keys(parent) {
			if p.isIndex || p.isSelect || !p.all && key != p.field {
				continue
			}
			if len(rest) == 0 {
				delete(parent, key)
			} else {
				parent[key] = rest.remove(parent[key])
			}
		}
	case []any:
		if p.all || p.isIndex {
			return removeItems(parent, p, rest)
		}
	}
	if p.isSelect && p.holds(v) {
		return rest.remove(v)
	}
	return v
}

// removeItems is remove for the items of a list; a selection that ends the expression
// removes the items themselves.
func removeItems(list []any, p part, rest expression) []any {
	kept := slices.Clone(list)
	for i := len(list) - 1; i >= 0; i-- {
		switch {
		case p.isIndex && p.index != i:
		case len(rest) == 0, len(rest) == 1 && rest[0].isSelect && rest[0].holds(list[i]):
			kept = slices.Delete(kept, i, i+1)
		default:
			kept[i] = rest.remove(list[i])
		}
	}
	return kept
}

// holds reports whether an item is selected.
func (p part) holds(item any) bool {
	v := item
	for _, step := range p.selected {
		m, isMap := v.(map[string]any)
		if !isMap || step.all || step.isIndex {
			v = nil
			break
		}
		v = m[step.field]
	}
	return tree.Equal(v, p.value) == p.equal
}
