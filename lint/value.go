package lint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"threeway/merge/tree"
)

const longestValue = 80

// Value is a value on one line, shortened: text as it is, maps of strings as
// a=1,b=2, anything else as JSON.
func Value(v any) string {
	switch v := v.(type) {
	case string:
		return shorten(fmt.Sprintf("%q", v))
	case map[string]any:
		if labels, ok := v["matchLabels"].(map[string]any); ok && len(v) == 1 {
			return Labels(labels)
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return shorten(fmt.Sprint(v))
	}
	return shorten(strings.TrimSpace(b.String()))
}

// Labels prints labels as kubectl does: a=1,b=2.
func Labels(m tree.Object) string {
	var parts []string
	for _, k := range sortedKeys(m) {
		parts = append(parts, fmt.Sprintf("%s=%v", k, m[k]))
	}
	return shorten(strings.Join(parts, ","))
}

func shorten(s string) string {
	if r := []rune(s); len(r) > longestValue {
		return string(r[:longestValue-1]) + "…"
	}
	return s
}
