package show

import (
	"maps"
	"slices"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
)

// Manifest is an object as a file has it: apiVersion, kind, metadata with
// the name first, spec, then the rest by name.
func Manifest(o *manifest.Object) string {
	return inOrder(o.Tree, []string{"apiVersion", "kind", "metadata", "spec"}, func(key string, v any) string {
		metadata, ok := v.(map[string]any)
		if key != "metadata" || !ok {
			return yamltext.YAML(tree.Object{key: v})
		}
		text := inOrder(metadata, []string{"name", "namespace", "labels", "annotations"}, func(key string, v any) string {
			return yamltext.YAML(tree.Object{key: v})
		})
		return "metadata:\n" + indented(text)
	})
}

// inOrder writes the fields of an object, some first, the others sorted.
func inOrder(obj tree.Object, first []string, write func(key string, v any) string) string {
	keys := slices.SortedFunc(maps.Keys(obj), func(a, b string) int {
		if x, y := rank(first, a), rank(first, b); x != y {
			return x - y
		}
		return strings.Compare(a, b)
	})
	var b strings.Builder
	for _, key := range keys {
		b.WriteString(write(key, obj[key]))
	}
	return b.String()
}

func rank(first []string, key string) int {
	if i := slices.Index(first, key); i >= 0 {
		return i
	}
	return len(first)
}

// indented moves every line that is not empty two columns to the right.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			b.WriteString("  ")
		}
		b.WriteString(line)
	}
	return b.String()
}
