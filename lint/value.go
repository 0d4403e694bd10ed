package lint

import (
	"cmp"
	"fmt"
	"strings"

	"threeway/merge/text/textdiff"
	"threeway/merge/tree"
)

const longestValue = 80

// Value returns a value on one line, shortened: text unchanged, maps of strings
// as a=1,b=2, a probe in short, anything else as YAML.
func Value(v any) string { return shorten(cmp.Or(tree.Probe(v), inline(v))) }

// Contrast is Value for two values that are shown side by side: of long ones the part that
// differs, of texts of several lines those.
func Contrast(a, b any) (string, string) { return textdiff.Contrast(a, b, inline, longestValue) }

func inline(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case map[string]any:
		if labels, ok := v["matchLabels"].(map[string]any); ok && len(v) == 1 {
			return labelText(labels)
		}
	}
	return tree.Flow(v)
}

// Labels returns labels as kubectl prints them: a=1,b=2.
func Labels(m tree.Object) string { return shorten(labelText(m)) }

func labelText(m tree.Object) string {
	var parts []string
	for _, k := range tree.Keys(m) {
		value := m[k]
		if value == nil {
			value = "null"
		}
		parts = append(parts, fmt.Sprintf("%s=%v", k, value))
	}
	return strings.Join(parts, ",")
}

func shorten(s string) string {
	if r := []rune(s); len(r) > longestValue {
		return string(r[:longestValue-1]) + "…"
	}
	return s
}
