package source

import (
	"strconv"

	"threeway/merge/fieldpath"
)

// MaxSearches is how many searches are faster than parsing a document with
// positions once. Most documents are searched once or never.
const MaxSearches = 4

// findBlock is findYAML for YAML that blockParser accepts, which is nearly all.
// ok is false if the position is unknown.
func (d *Document) findBlock(p fieldpath.Path) (offset int, found, ok bool) {
	if !d.isBlock {
		return 0, false, false
	}
	parser, ok := blockRoot(d.Text, nil)
	if !ok {
		return 0, false, false
	}
	lost := false
	value := blockNode{blockParser: *parser, kind: blockMapping, lost: &lost}
	at := value
	for _, s := range p {
		key, next, ok := step(value, s)
		if lost {
			return 0, false, false
		}
		if !ok {
			return at.at, false, true
		}
		at, value = key, next
	}
	return at.at, true, true
}

// blockItems returns the offsets of the items of a List in block YAML.
func (d *Document) blockItems() (offsets []int) {
	parser, ok := blockRoot(d.Text, nil)
	if !d.isBlock || !ok {
		return nil
	}
	lost := false
	_, list, _ := blockNode{blockParser: *parser, kind: blockMapping, lost: &lost}.field("items")
	for column := list.column; list.kind == blockSequence && list.column == column && list.dash(); {
		item := list
		item.afterDash()
		offsets = append(offsets, item.at)
		if _, ok := list.element(column, nil); !ok || lost {
			return nil
		}
	}
	return offsets
}

// blockNode is a value or a key in block YAML: a parser at the beginning of the
// value.
type blockNode struct {
	blockParser
	kind blockKind
	// parent is the column of the mapping or list that contains a value on the
	// line of its key or dash.
	parent int
	lost   *bool // set if the value has a form that is not handled here
}

type blockKind uint8

const (
	blockMapping blockKind = iota
	blockSequence
	blockInline // a scalar or flow collection
	blockNothing
)

// become turns the node into the collection that begins on the current line, if
// it is indented more than the column.
func (n *blockNode) become(column int) {
	n.kind = blockNothing
	if n.column > column {
		n.kind = blockMapping
		if n.dash() {
			n.kind = blockSequence
		}
	}
}

func (n blockNode) field(name string) (key, value blockNode, ok bool) {
	if n.kind != blockMapping {
		n.flowOnly()
		return key, value, false
	}
	for column := n.column; n.column == column; {
		text, after, ok := n.key()
		if !ok {
			break
		}
		if text == name {
			key, value = n, n
			value.afterColon(after, column)
			return key, value, true
		}
		if _, ok := n.afterKey(after, column, nil); !ok {
			break
		}
	}
	return key, value, false
}

// afterColon moves to the value of a key.
func (n *blockNode) afterColon(after, column int) {
	if n.at = n.skipBlanks(after); n.at < n.end && n.text[n.at] != '#' {
		n.kind, n.parent = blockInline, column
		return
	}
	n.next()
	if n.become(column); n.column == column && n.dash() {
		n.kind = blockSequence
	}
}

func (n blockNode) item(i int) (blockNode, bool) {
	if n.kind != blockSequence {
		n.flowOnly()
		return n, false
	}
	for column := n.column; n.column == column && n.dash(); i-- {
		if i == 0 {
			n.afterDash()
			return n, true
		}
		if _, ok := n.element(column, nil); !ok {
			break
		}
	}
	return n, false
}

func (n blockNode) elements(f func(blockNode) bool) {
	if n.kind != blockSequence {
		n.flowOnly()
		return
	}
	for column := n.column; n.column == column && n.dash(); {
		item := n
		item.afterDash()
		if !f(item) {
			return
		}
		if _, ok := n.element(column, nil); !ok {
			return
		}
	}
}

// Blocks are searched too rarely to remember anything.
func (n blockNode) entries() map[string][2]blockNode { return nil }

func (n blockNode) identity() any { return n.at }

// afterDash moves to the item that begins on the current line.
func (n *blockNode) afterDash() {
	column, dash := n.column, n.at
	if n.at = n.skipBlanks(dash + 1); n.at == n.end || n.text[n.at] == '#' {
		n.next()
		if n.become(column); n.kind == blockNothing {
			*n.lost = true // a null that is not written has no position
		}
		return
	}
	n.kind, n.parent = blockInline, column
	n.column += n.at - dash
	switch {
	case n.dash():
		n.kind = blockSequence
	case n.hasKey():
		n.kind = blockMapping
	}
}

// flowOnly gives up on a flow collection that is not empty.
func (n blockNode) flowOnly() {
	if n.kind == blockInline && (n.text[n.at] == '{' || n.text[n.at] == '[') && n.text[n.at+1] != n.text[n.at]+2 {
		*n.lost = true
	}
}

func (n blockNode) scalar() (string, bool) {
	if n.kind != blockInline {
		*n.lost = *n.lost || n.kind == blockNothing
		return "", false
	}
	v, ok := n.blockParser.scalar(n.at, n.parent, Everything)
	switch v := v.(type) {
	case string:
		return v, ok
	case int64:
		return strconv.FormatInt(v, 10), ok
	case bool:
		return strconv.FormatBool(v), ok
	case map[string]any, []any:
		return "", false
	}
	*n.lost = true
	return "", false
}
