package edit

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// replacements returns the replacements for the planned changes.
func (d *document) replacements() ([]Replacement, error) {
	for _, n := range d.order {
		t := d.todo[n]
		slices.SortStableFunc(t.inserted, func(a, b insertion) int { return cmp.Compare(a.key, b.key) })
		change := d.changeBlock
		if flow(n) {
			change = d.changeFlow
		}
		if err := change(n, t); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(d.out, func(a, b Replacement) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	for i := 1; i < len(d.out); i++ {
		if d.out[i].Start < d.out[i-1].End {
			return nil, errors.New("two fixes change the same text")
		}
	}
	return d.out, nil
}

// exchange puts new keys in the place of removed ones, in their order, as far as there are both.
func (d *document) exchange(n *yaml.Node, t *todo) error {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	list, w := entries(n), d.writer(n)
	for i := 0; i < len(list) && len(t.inserted) > 0; i++ {
		if !t.removed[i] {
			continue
		}
		end, err := d.entryEnd(list[i])
		if err != nil {
			return err
		}
		ins, start := t.inserted[0], d.start(list[i].key)
		text := strings.TrimSuffix(w.scalar(ins.key)+":"+w.block(ins.value, d.indent(n)), "\n")
		if flow(n) {
			gap, colon, err := d.spacing(n, list, i)
			if err != nil {
				return err
			}
			if text = w.pair(ins.key, ins.value, colon); strings.Contains(gap, "\n") {
				text = w.spread(ins.key, ins.value, colon, gap[strings.LastIndexByte(gap, '\n')+1:], d.margin(n))
			}
		}
		if err := d.swap(start, end, text, n); err != nil {
			return err
		}
		delete(t.removed, i)
		t.inserted = t.inserted[1:]
	}
	return nil
}

func flow(n *yaml.Node) bool { return n.Style&yaml.FlowStyle != 0 }

func (d *document) put(start, end int, text string) {
	d.out = append(d.out, Replacement{start, end, text})
}

// runs groups consecutive removed entries into runs, each with its first and
// last index.
func (t *todo) runs(count int) (list [][2]int) {
	for i := 0; i < count; i++ {
		if !t.removed[i] {
			continue
		}
		if n := len(list); n > 0 && list[n-1][1] == i-1 {
			list[n-1][1] = i
		} else {
			list = append(list, [2]int{i, i})
		}
	}
	return list
}

// swap replaces a range by text. It returns an error if the range contains a
// comment.
func (d *document) swap(start, end int, text string, in *yaml.Node) error {
	if d.commentIn(start, end, in) {
		return errors.New("a comment would be lost")
	}
	d.put(start, end, text)
	return nil
}

// changeBlock changes the entries of an object or a list in block style.
func (d *document) changeBlock(n *yaml.Node, t *todo) error {
	if err := d.exchange(n, t); err != nil {
		return err
	}
	list := entries(n)
	if len(t.removed) == len(list) {
		if len(t.inserted)+len(t.appended) > 0 {
			return errors.New("all of its parent would be replaced")
		}
		return d.emptyBlock(n)
	}
	for _, run := range t.runs(len(list)) {
		if err := d.cutBlock(n, list, run); err != nil {
			return err
		}
	}
	for _, ins := range t.inserted {
		if err := d.insertBlock(n, list, ins); err != nil {
			return err
		}
	}
	if len(t.appended) > 0 {
		return d.appendBlock(n, list, t.appended)
	}
	return nil
}

// appendBlock adds items after the last one of a list.
func (d *document) appendBlock(n *yaml.Node, list []entry, values []any) error {
	end, err := d.entryEnd(list[len(list)-1])
	if err != nil {
		return err
	}
	where := d.pastOwnComments(d.nextLine(end), d.indent(n))
	w := d.writer(n)
	d.put(where, where, w.lines(values, d.indent(n), d.indent(n)))
	return nil
}

// entryStart is the offset of an entry's key or dash.
func (d *document) entryStart(n *yaml.Node, list []entry, i int) (int, error) {
	e := list[i]
	switch {
	case e.key != nil:
		return d.start(e.key), nil
	case flow(n):
		return d.start(e.value), nil
	case i == 0:
		return d.start(n), nil
	}
	at, err := d.entryEnd(list[i-1])
	if err != nil {
		return 0, err
	}
	for at < len(d.text) {
		switch d.text[at] {
		case '-':
			return at, nil
		case '#':
			at = d.nextLine(at)
		case ' ', '\t', '\r', '\n':
			at++
		default:
			return 0, errUnusual
		}
	}
	return 0, errUnusual
}

// cutBlock removes the lines of entries. If the first one is on the line of a
// dash, the next entry moves there.
func (d *document) cutBlock(n *yaml.Node, list []entry, run [2]int) error {
	start, err := d.entryStart(n, list, run[0])
	if err != nil {
		return err
	}
	line := d.lineStart(start)
	if strings.TrimLeft(d.text[line:start], " ") != "" {
		if run[1]+1 == len(list) {
			return errUnusual
		}
		next, err := d.entryStart(n, list, run[1]+1)
		if err != nil {
			return err
		}
		return d.swap(start, next, "", n)
	}
	end, err := d.entryEnd(list[run[1]])
	if err != nil {
		return err
	}
	// Comments below that belong to the entry must not be left to the entry
	// before it.
	return d.swap(line, d.pastOwnComments(d.nextLine(end), d.indent(n)), "", n)
}

// emptyBlock removes all entries and writes {} or [] instead.
func (d *document) emptyBlock(n *yaml.Node) error {
	empty := "{}"
	if n.Kind == yaml.SequenceNode {
		empty = "[]"
	}
	at, ok := d.up[n]
	if !ok {
		return errors.New("nothing of the object would be left")
	}
	start := d.start(n)
	end, err := d.end(n)
	if err != nil {
		return err
	}
	if key := entryAt(at.in, at.entry).key; key != nil {
		colon, err := d.afterColon(key)
		if err != nil {
			return err
		}
		if d.lineStart(colon) == d.lineStart(start) {
			return errUnusual
		}
		d.put(colon, colon, " "+empty)
		return d.swap(d.lineStart(start), d.nextLine(end), "", n)
	}
	return d.swap(start, end, empty, n)
}

// neighbour returns the entry after which a key is inserted: the last one that
// sorts before it, or -1. The fields that every object begins with stay in
// front.
func (d *document) neighbour(n *yaml.Node, list []entry, key string) int {
	after := -1
	for _, e := range list {
		switch first := e.key.Value; {
		case first < key, n == d.root && (first == "apiVersion" || first == "kind" || first == "metadata"):
			after = e.index
		}
	}
	return after
}

// insertBlock inserts a key after its neighbour; without one, below the key of
// its object.
func (d *document) insertBlock(n *yaml.Node, list []entry, ins insertion) error {
	after := d.neighbour(n, list, ins.key)
	first := d.start(list[0].key)
	where := 0
	place, hasParent := d.up[n]
	switch {
	case after < 0 && hasParent && strings.TrimLeft(d.text[d.lineStart(first):first], " ") == "" && entryAt(place.in, place.entry).key != nil:
		key := entryAt(place.in, place.entry).key
		colon, err := d.afterColon(key)
		if err != nil {
			return err
		}
		where = d.nextLine(colon)
	default:
		end, err := d.entryEnd(list[max(after, 0)])
		if err != nil {
			return err
		}
		where = d.pastOwnComments(d.nextLine(end), d.indent(n))
	}
	w := d.writer(n)
	text := strings.Repeat(" ", d.indent(n)) + w.scalar(ins.key) + ":" + w.block(ins.value, d.indent(n))
	d.put(where, where, text)
	return nil
}

// pastOwnComments moves over the comment lines that are indented more than a
// key: they belong to the entry above them.
func (d *document) pastOwnComments(line, indent int) int {
	for line < len(d.text) {
		text := d.text[line:d.nextLine(line)]
		content := strings.TrimLeft(text, " ")
		if !strings.HasPrefix(content, "#") || len(text)-len(content) <= indent {
			break
		}
		line = d.nextLine(line)
	}
	return line
}
