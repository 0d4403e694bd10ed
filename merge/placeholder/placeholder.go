// Package placeholder knows what stands in a manifest for a value that another program fills
// in: ${VAR} of Flux and envsubst, {{VAR}} of templates.
package placeholder

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// pattern matches a placeholder. Where a literal text may stand, such as in a script, it is
// often none.
var pattern = regexp.MustCompile(`\$\{([A-Za-z_]\w*)[^{}]*\}|\$\(([A-Za-z_]\w*)\)|\$([A-Z_][A-Z0-9_]*)|\{\{-?\s*[$.]*([A-Za-z_][\w.]*)[^{}]*\}\}`)

// In reports whether a text has a placeholder.
func In(text string) bool {
	return mayHave(text) && pattern.MatchString(text)
}

// mayHave is false of most texts, such as JSON: a look at them costs less than the pattern.
func mayHave(text string) bool {
	return strings.Contains(text, "$") || strings.Contains(text, "{{")
}

// Names returns the placeholders in a value and all that is in it, in order, as ${VAR}.
func Names(v any) []string {
	found := map[string]bool{}
	names(v, found)
	return slices.Sorted(maps.Keys(found))
}

func names(v any, found map[string]bool) {
	switch v := v.(type) {
	case string:
		if !mayHave(v) {
			return
		}
		for _, m := range pattern.FindAllStringSubmatch(v, -1) {
			name := strings.Join(m[1:], "")
			if m[4] != "" {
				found["{{"+name+"}}"] = true
			} else {
				found["${"+name+"}"] = true
			}
		}
	case map[string]any:
		for key, value := range v {
			names(key, found)
			names(value, found)
		}
	case []any:
		for _, item := range v {
			names(item, found)
		}
	case nil, bool, int64, float64:
	default: // a value of Go in a fault
		names(fmt.Sprint(v), found)
	}
}

// variable matches the beginning of a substitution of Flux (github.com/fluxcd/pkg/envsubst).
var variable = regexp.MustCompile(`^\$\{([A-Za-z_]\w*)(\}|:?[-=])`)

// The bounds of what is substituted: how many defaults may stand in one another, and how many
// bytes values may add to a text. What is beyond them stays as it is.
const (
	deepest = 16
	largest = 16 << 20
)

// Substitute returns a text with the values that Flux puts in place of ${VAR}, and those that
// have none and stay. whole tells that all values are known, so that the default in
// ${VAR:=default} counts. $${ is a ${ that is none.
func Substitute(text string, values map[string]string, whole bool) (out string, open []string) {
	e := &expansion{values: values, whole: whole, open: map[string]bool{}}
	out, _, _ = e.expand(text, 0, 0)
	return out, slices.Sorted(maps.Keys(e.open))
}

type expansion struct {
	values map[string]string
	whole  bool
	open   map[string]bool
	added  int
}

// expand returns what stands for the text from i on, and where it ended: at its end or, in so
// many defaults, after the brace that closes the last of them.
func (e *expansion) expand(text string, i, depth int) (out string, end int, closed bool) {
	var b strings.Builder
	braces := 0
	for i < len(text) {
		switch rest := text[i:]; {
		case strings.HasPrefix(rest, "$${"):
			b.WriteString("${")
			braces, i = braces+1, i+3
			continue
		case strings.HasPrefix(rest, "${") && depth < deepest:
			var value string
			value, i = e.value(text, i, depth)
			b.WriteString(value)
			continue
		case rest[0] == '{':
			braces++
		case rest[0] == '}' && braces > 0:
			braces--
		case rest[0] == '}' && depth > 0:
			return b.String(), i + 1, true
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String(), i, false
}

// value returns what stands for the substitution at i, and where the text goes on. What is open
// in its default counts only if the default stands.
func (e *expansion) value(text string, i, depth int) (value string, end int) {
	m := variable.FindStringSubmatch(text[i:])
	if m == nil {
		return "$", i + 1
	}
	end = i + len(m[0])
	rest, open, closed := "", e.open, true
	if m[2] != "}" {
		e.open = map[string]bool{}
		rest, end, closed = e.expand(text, end, depth+1)
		e.open, open = open, e.open
	}
	value, known := e.values[m[1]]
	if known && closed && (value != "" || !strings.HasPrefix(m[2], ":")) && e.added+len(value) <= largest {
		e.added += len(value)
		return value, end
	}
	maps.Copy(e.open, open)
	switch {
	case !closed:
		return m[0] + rest, end
	case m[2] != "}" && (known || e.whole):
		return rest, end
	}
	e.open["${"+m[1]+"}"] = true
	if m[2] != "}" {
		rest += "}"
	}
	return m[0] + rest, end
}
