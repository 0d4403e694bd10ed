package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// document is a text with its nodes and the planned changes. JSON is treated as
// YAML in flow style.
type document struct {
	text  string
	lines []int // offsets of the lines
	root  *yaml.Node
	up    map[*yaml.Node]place

	todo  map[*yaml.Node]*todo // by object or list
	order []*yaml.Node         // the keys of todo, in the order of the edits
	out   []Replacement
	chars []int // offsets of the characters, if there are some of several bytes

	scalars    map[*yaml.Node][][2]int // of opaque
	step, dash int                     // how much the text indents objects, and lists in them; step is 0 until asked for
}

// place is the position of a node: its container and the entry in it.
type place struct {
	in    *yaml.Node
	entry int
}

// todo has the planned changes of one object or list.
type todo struct {
	removed  map[int]bool // entries
	inserted []insertion
	appended []any
}

type insertion struct {
	key   string
	value any
}

func parse(text string) (*document, error) {
	if strings.ContainsAny(strings.ReplaceAll(text, "\r\n", "\n"), "\r\u0085\u2028\u2029\ufeff") {
		return nil, errors.New("the file has unusual line breaks")
	}
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil || len(root.Content) == 0 {
		return nil, fmt.Errorf("its text cannot be read on its own: %w", err)
	}
	d := &document{text: text, lines: []int{0}, root: root.Content[0], up: map[*yaml.Node]place{}, todo: map[*yaml.Node]*todo{}, scalars: map[*yaml.Node][][2]int{}}
	wide := false
	for i := range len(text) {
		if text[i] == '\n' {
			d.lines = append(d.lines, i+1)
		}
		wide = wide || text[i] >= utf8.RuneSelf
	}
	if wide {
		for offset := range text {
			d.chars = append(d.chars, offset)
		}
	}
	d.climb(d.root)
	return d, nil
}

// climb records the places of the nodes below n.
func (d *document) climb(n *yaml.Node) {
	width := 1
	if n.Kind == yaml.MappingNode {
		width = 2
	}
	for i, child := range n.Content {
		d.up[child] = place{n, i / width}
		d.climb(child)
	}
}

// start is the offset of a node: of its tag or anchor, if it has one.
func (d *document) start(n *yaml.Node) int {
	offset, column := d.lines[n.Line-1], max(n.Column-1, 0)
	if d.chars == nil {
		return min(offset+column, len(d.text))
	}
	at, _ := slices.BinarySearch(d.chars, offset)
	if at += column; at < len(d.chars) {
		return d.chars[at]
	}
	return len(d.text)
}

// line is the number of an offset's line, the first is 1.
func (d *document) line(offset int) int {
	at, begins := slices.BinarySearch(d.lines, offset)
	if begins {
		at++
	}
	return at
}

func (d *document) lineStart(offset int) int { return d.lines[d.line(offset)-1] }

// nextLine is the offset after the line's end.
func (d *document) nextLine(offset int) int {
	if at := d.line(offset); at < len(d.lines) {
		return d.lines[at]
	}
	return len(d.text)
}

// find walks down the path. It returns the last existing node, and the missing
// steps.
func (d *document) find(p fieldpath.Path) (n *yaml.Node, rest fieldpath.Path, err error) {
	n = d.root
	for i, s := range p {
		if n.Kind == yaml.AliasNode || n.Anchor != "" {
			return nil, nil, fmt.Errorf("%s is shared by an anchor and its aliases", p[:i])
		}
		if merges(n) {
			return nil, nil, fmt.Errorf("%s has a merge key (<<)", p[:i])
		}
		e, ok := d.entry(n, s)
		if !ok {
			return n, p[i:], nil
		}
		n = e.value
	}
	return n, nil, nil
}

func merges(n *yaml.Node) bool {
	for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
		if n.Content[i].Tag == "!!merge" {
			return true
		}
	}
	return false
}

// entry is a key with its value, or an item of a list, which has no key.
type entry struct {
	index      int
	key, value *yaml.Node
}

func entries(n *yaml.Node) []entry {
	list := make([]entry, count(n))
	for i := range list {
		list[i] = entryAt(n, i)
	}
	return list
}

// count is how many entries an object or list has.
func count(n *yaml.Node) int {
	switch n.Kind {
	case yaml.MappingNode:
		return len(n.Content) / 2
	case yaml.SequenceNode:
		return len(n.Content)
	}
	return 0
}

func entryAt(n *yaml.Node, i int) entry {
	if n.Kind == yaml.MappingNode {
		return entry{i, n.Content[2*i], n.Content[2*i+1]}
	}
	return entry{i, nil, n.Content[i]}
}

// entry returns the entry that a step leads to; for a duplicate key, the last
// one.
func (d *document) entry(n *yaml.Node, s fieldpath.Step) (found entry, ok bool) {
	if n.Kind == yaml.SequenceNode {
		if ok = s.IsIndex && s.Index >= 0 && s.Index < count(n); ok {
			found = entryAt(n, s.Index)
		}
		return found, ok
	}
	for i := count(n) - 1; i >= 0 && !s.IsIndex; i-- {
		if e := entryAt(n, i); e.key.Value == s.Field {
			return e, true
		}
	}
	return found, false
}

// plan records the changes for one edit.
func (d *document) plan(e Edit, obj tree.Object) error {
	n, rest, err := d.find(e.Path)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		// The text may spell a key differently: yes for true.
		if _, there := e.Path[:len(e.Path)-len(rest)+1].Find(obj); there || e.op != set {
			return fmt.Errorf("%s is not found in the file", e.Path)
		}
		return d.planInsert(n, rest, e)
	}
	if e.op != rename && anchored(n) {
		return fmt.Errorf("%s has an anchor or a tag", e.Path)
	}
	at, ok := d.up[n]
	switch {
	case !ok:
		return errors.New("the whole object cannot be edited")
	case e.op == extend:
		if n.Kind != yaml.SequenceNode || aliased(n) {
			return fmt.Errorf("%s is not found in the file", e.Path)
		}
		t := d.at(n)
		t.appended = append(t.appended, e.value)
		return nil
	case e.op == remove:
		d.at(at.in).removed[at.entry] = true
		return nil
	case e.op == rename:
		return d.rename(entryAt(at.in, at.entry).key, e.name)
	}
	return d.replace(n, e.value)
}

func (d *document) at(n *yaml.Node) *todo {
	t := d.todo[n]
	if t == nil {
		t = &todo{removed: map[int]bool{}}
		d.todo[n] = t
		d.order = append(d.order, n)
	}
	return t
}

// planInsert plans to insert the value into n, inside one new object for each
// missing step but the last.
func (d *document) planInsert(n *yaml.Node, rest fieldpath.Path, e Edit) error {
	value := e.value
	for i := len(rest) - 1; i > 0; i-- {
		value = map[string]any{rest[i].Field: value}
	}
	switch {
	case anchorOrTag(n):
		return fmt.Errorf("the parent of %s has an anchor or a tag", e.Path)
	case n.Kind == yaml.MappingNode:
		t := d.at(n)
		for _, other := range t.inserted {
			if m, ok := other.value.(tree.Object); ok && len(rest) > 1 && other.key == rest[0].Field {
				tree.Set(m, e.value, names(rest[1:])...)
				return nil
			}
		}
		t.inserted = append(t.inserted, insertion{rest[0].Field, value})
		return nil
	case n.Kind == yaml.ScalarNode:
		return d.replace(n, map[string]any{rest[0].Field: value})
	}
	return fmt.Errorf("%s is not found in the file", e.Path)
}

// names returns the field names of a path, which must lead through objects
// only.
func names(p fieldpath.Path) (fields []string) {
	for _, s := range p {
		fields = append(fields, s.Field)
	}
	return fields
}

// anchorOrTag reports whether a node has an anchor or a tag written out.
func anchorOrTag(n *yaml.Node) bool {
	return n.Anchor != "" || n.Style&yaml.TaggedStyle != 0
}

// anchored reports whether a node, or one below it, has an anchor or a tag.
func anchored(n *yaml.Node) bool { return anchorOrTag(n) || slices.ContainsFunc(n.Content, anchored) }

// aliased reports whether a part of a node's text is elsewhere.
func aliased(n *yaml.Node) bool {
	return n.Kind == yaml.AliasNode || slices.ContainsFunc(n.Content, aliased)
}
