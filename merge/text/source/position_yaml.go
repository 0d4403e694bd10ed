package source

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v2"
	yamlv3 "go.yaml.in/yaml/v3"

	"threeway/merge/fieldpath"
	"threeway/merge/memo"
)

// nodes parses the document with positions; nil if that fails. Only the
// positions of that parser are used, because it reads YAML 1.2 and kubectl
// reads 1.1.
func (d *Document) nodes() *yamlv3.Node {
	d.nodeOnce.Do(func() {
		var root yamlv3.Node
		if d.Limit.tooGeneral(len(d.Text)) != nil || yamlv3.Unmarshal([]byte(d.Text), &root) != nil || len(root.Content) == 0 {
			return
		}
		d.node, d.breaks = root.Content[0], d.lineStarts()
		if strings.ContainsAny(d.Text, yamlBreaks) {
			d.breaks = yamlLineStarts(d.Text)
		}
	})
	return d.node
}

// yamlBreaks are the characters besides \n that end a line for the parser.
const yamlBreaks = "\r\u0085\u2028\u2029"

func yamlLineStarts(text string) []int {
	starts := []int{0}
	for i, r := range text {
		if r == '\r' && strings.HasPrefix(text[i:], "\r\n") {
			continue
		}
		if r == '\n' || strings.ContainsRune(yamlBreaks, r) {
			starts = append(starts, i+utf8.RuneLen(r))
		}
	}
	return starts
}

func (d *Document) findYAML(p fieldpath.Path) (offset int, found bool) {
	root := d.nodes()
	if root == nil {
		return d.start(), false
	}
	value, at := yamlSource{root}, yamlSource{root}
	for _, s := range p {
		key, next, ok := memo.Of(&d.lookups, newLookups[yamlSource]).step(value, s)
		if !ok {
			return d.nodeOffset(at.Node), false
		}
		at, value = key, next
	}
	return d.nodeOffset(at.Node), true
}

// nodeOffset converts a node's line and column to an offset.
func (d *Document) nodeOffset(n *yamlv3.Node) int {
	offset := d.breaks[min(n.Line, len(d.breaks))-1]
	if n.Line == 1 && strings.HasPrefix(d.Text, ByteOrderMark) {
		offset += len(ByteOrderMark)
	}
	return d.after(offset, n.Column-1)
}

// ByteOrderMark may be at the beginning of any document, and has no column. DecodeText
// drops that of a file.
const ByteOrderMark = "\ufeff"

// yamlSource is a node of a YAML document.
type yamlSource struct{ *yamlv3.Node }

func (s yamlSource) target() *yamlv3.Node {
	n := s.Node
	for n.Kind == yamlv3.AliasNode {
		n = n.Alias
	}
	return n
}

// field looks a key up from the end: later keys override earlier ones, and a
// merge key overrides the keys before it, as in the decoder.
func (s yamlSource) field(name string) (key, value yamlSource, ok bool) {
	n := s.target()
	if n.Kind != yamlv3.MappingNode {
		return key, value, false
	}
	for i := len(n.Content) - 2; i >= 0; i -= 2 {
		key, value = yamlSource{n.Content[i]}, yamlSource{n.Content[i+1]}
		if key.isMerge() {
			if key, value, ok = value.merged(name); ok {
				return key, value, true
			}
		} else if text, ok := key.scalar(); ok && text == name {
			return key, value, true
		}
	}
	return key, value, false
}

func (s yamlSource) isMerge() bool {
	return s.Kind == yamlv3.ScalarNode && s.Value == "<<" && s.Tag == "!!merge"
}

// merged looks a field up in the value of a merge key: a mapping, or a list of
// mappings, the first of which counts.
func (s yamlSource) merged(name string) (key, value yamlSource, ok bool) {
	n := s.target()
	if n.Kind != yamlv3.SequenceNode {
		return s.field(name)
	}
	for _, m := range n.Content {
		if key, value, ok = (yamlSource{m}).field(name); ok {
			return key, value, true
		}
	}
	return key, value, false
}

func (s yamlSource) item(i int) (yamlSource, bool) {
	n := s.target()
	if n.Kind != yamlv3.SequenceNode || i < 0 || i >= len(n.Content) {
		return yamlSource{}, false
	}
	return yamlSource{n.Content[i]}, true
}

func (s yamlSource) elements(f func(yamlSource) bool) {
	n := s.target()
	if n.Kind != yamlv3.SequenceNode {
		return
	}
	for _, item := range n.Content {
		if !f(yamlSource{item}) {
			return
		}
	}
}

// entries returns the entries of a mapping without merge keys.
func (s yamlSource) entries() map[string][2]yamlSource {
	n := s.target()
	if n.Kind != yamlv3.MappingNode {
		return nil
	}
	fields := map[string][2]yamlSource{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := yamlSource{n.Content[i]}
		if key.isMerge() {
			return nil
		}
		if text, ok := key.scalar(); ok {
			fields[text] = [2]yamlSource{key, {n.Content[i+1]}} // the last duplicate counts
		}
	}
	return fields
}

func (s yamlSource) identity() any { return s.target() }

// scalar returns the scalar's value as text. A plain scalar that YAML 1.1 reads
// as a number, a boolean or null is printed as that value.
func (s yamlSource) scalar() (string, bool) {
	n := s.target()
	switch {
	case n.Kind != yamlv3.ScalarNode:
		return "", false
	case n.Style == 0 && ambiguous(n.Value), n.Style&^yamlv3.TaggedStyle == 0 && n.Tag != "!!str":
		return resolvePlain(n.Value), true
	}
	return n.Value, true
}

// ambiguous reports whether a plain scalar may be something other than a
// string.
func ambiguous(s string) bool {
	switch strings.ToLower(s) {
	case "", "~", "null", "y", "n", "yes", "no", "on", "off", "true", "false":
		return true
	}
	return strings.IndexByte("+-.0123456789", s[0]) >= 0 && !strings.ContainsAny(s, " ,:[]{}#")
}

// resolvePlain asks the YAML 1.1 parser what a plain scalar is.
func resolvePlain(s string) string {
	var list []any
	if yaml.Unmarshal([]byte("["+s+"]"), &list) != nil || len(list) != 1 {
		return s
	}
	if list[0] == nil {
		return "null"
	}
	if text, err := plainKey(list[0], nil); err == nil {
		return text
	}
	return s
}

// yamlDuplicates returns the duplicate keys in the mappings of the document.
func (d *Document) yamlDuplicates() (all []Duplicate) {
	if root := d.nodes(); root != nil {
		d.collectDuplicates(root, &all)
	}
	return all
}

func (d *Document) collectDuplicates(n *yamlv3.Node, all *[]Duplicate) {
	if n.Kind == yamlv3.MappingNode {
		seen := map[string]*yamlv3.Node{}
		for i := 0; i < len(n.Content); i += 2 {
			key := yamlSource{n.Content[i]}
			name, ok := key.scalar()
			if !ok || key.isMerge() {
				continue
			}
			if first := seen[name]; first != nil {
				*all = append(*all, Duplicate{name, d.nodeOffset(first), d.nodeOffset(key.Node)})
			}
			seen[name] = key.Node
		}
	}
	for _, child := range n.Content {
		d.collectDuplicates(child, all)
	}
}
