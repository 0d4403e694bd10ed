package source

import (
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"

	"threeway/merge/tree"
)

// WithoutLastBreak is the object of a document as it is read if the text ends with its last
// character: a block scalar at the end then has no line break after it. It is the object
// itself if the document does not end in one.
func (d *Document) WithoutLastBreak(o tree.Object) tree.Object {
	if d.IsJSON || !strings.ContainsAny(d.Text, "|>") {
		return o
	}
	node := d.nodes()
	if node == nil {
		return o
	}
	out := tree.CopyObject(o)
	var at any = out
	set := func(any) {}
	for len(node.Content) > 0 {
		last := len(node.Content) - 1
		switch v := at.(type) {
		case map[string]any:
			key := node.Content[last-1].Value
			set, at = func(to any) { v[key] = to }, v[key]
		case []any:
			if last >= len(v) {
				return o
			}
			set, at = func(to any) { v[last] = to }, v[last]
		default:
			return o
		}
		node = node.Content[last]
	}
	text, isText := at.(string)
	if node.Style&(yamlv3.LiteralStyle|yamlv3.FoldedStyle) == 0 || !isText || !strings.HasSuffix(lastLine(text), lastLine(d.Text)) {
		return o // or a comment follows
	}
	set(strings.TrimRight(text, "\n"))
	return out
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndex(text, "\n")+1:])
}
