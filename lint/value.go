package lint

import (
	"cmp"
	"fmt"
	"strings"

	"threeway/merge/tree"
)

const longestValue = 80

// Value returns a value on one line, shortened: text unchanged, maps of strings
// as a=1,b=2, a probe in short, anything else as YAML.
func Value(v any) string { return shorten(cmp.Or(tree.Probe(v), inline(v))) }

// Contrast is Value for two values that are shown side by side. Long values are
// cut so that the first difference is visible.
func Contrast(a, b any) (string, string) {
	x, y := []rune(inline(a)), []rune(inline(b))
	common := 0
	for common < min(len(x), len(y)) && x[common] == y[common] {
		common++
	}
	const before = 30 // what is left of the common part
	cut := func(r []rune) string {
		if from := common - before; len(r) > longestValue && from > 0 {
			return "…" + shorten(string(r[from:]))
		}
		return shorten(string(r))
	}
	return cut(x), cut(y)
}

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
