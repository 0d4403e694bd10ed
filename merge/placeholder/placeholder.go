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
	return strings.ContainsAny(text, "${") && pattern.MatchString(text)
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
		if !strings.ContainsAny(v, "${") {
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

// innermost matches a substitution of Flux without another one in it
// (github.com/fluxcd/pkg/envsubst). A second $ in front keeps the text as it is.
var innermost = regexp.MustCompile(`\$?\$\{([A-Za-z_]\w*)(?:(:?[-=])([^{}]*))?\}`)

// Substitute returns a text with the values that Flux puts in place of ${VAR}, and those that
// have none and stay. whole tells that all values are known, so that the default in
// ${VAR:=default} counts.
func Substitute(text string, values map[string]string, whole bool) (out string, open []string) {
	unknown := map[string]bool{}
	for range strings.Count(text, "${") { // one in another, from the inside
		next := innermost.ReplaceAllStringFunc(text, func(match string) string {
			if strings.HasPrefix(match, "$$") {
				return match
			}
			m := innermost.FindStringSubmatch(match)
			switch value, known := values[m[1]]; {
			case known && (value != "" || !strings.HasPrefix(m[2], ":")):
				return value
			case m[2] != "" && (known || whole):
				return m[3]
			}
			unknown["${"+m[1]+"}"] = true
			return match
		})
		if next == text {
			break
		}
		text = next
	}
	return strings.ReplaceAll(text, "$${", "${"), slices.Sorted(maps.Keys(unknown))
}
