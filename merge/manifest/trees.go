package manifest

import (
	"os"
	"strings"
	"sync"
	"unsafe"

	"threeway/merge/mask"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// unmanaged is an object without its managedFields, which are most of a small
// one.
var unmanaged = sync.OnceValue(func() *source.Keep {
	meta := &source.Keep{Fields: map[string]*source.Keep{"managedFields": nil}, Each: source.Everything}
	return &source.Keep{Fields: map[string]*source.Keep{"metadata": meta}, Each: source.Everything}
})

// only is what tells which object it is, and what is at paths of fields, of all items of a list on the way.
func only(paths []string) *source.Keep {
	kept := &source.Keep{Fields: map[string]*source.Keep{}}
	for _, p := range append([]string{"apiVersion", "kind", "metadata.name", "metadata.namespace"}, paths...) {
		at, fields := kept, strings.Split(p, ".")
		for i, field := range fields {
			if i == len(fields)-1 {
				at.Fields[field] = source.Everything
				break
			}
			if at.Fields[field] == nil {
				next := &source.Keep{Fields: map[string]*source.Keep{}}
				next.Items, at.Fields[field] = next, next
			}
			at = at.Fields[field]
		}
	}
	return kept
}

// chunkOfTrees is how many objects are decoded by one goroutine at a time.
const chunkOfTrees = 512

// Trees decodes entries, for who looks at every one. The objects have no
// managedFields, and nothing of the text of the file stays in memory.
func (s *Snapshot) Trees(entries []*Entry) []tree.Object { return s.trees(entries, unmanaged()) }

// Parts is Trees for who looks at a few fields, of all items of a list on the way: spec.containers.args. Other fields may lack.
func (s *Snapshot) Parts(entries []*Entry, fields ...string) []tree.Object {
	return s.trees(entries, only(fields))
}

func (s *Snapshot) trees(entries []*Entry, keep *source.Keep) []tree.Object {
	if len(entries) == 0 {
		return nil
	}
	trees := make([]tree.Object, len(entries))
	chunks := (len(entries) + chunkOfTrees - 1) / chunkOfTrees
	s.cores.Do(chunks, func(i int) {
		d := treeReader{keep: keep}
		defer d.close()
		for at := i * chunkOfTrees; at < min((i+1)*chunkOfTrees, len(entries)); at++ {
			if trees[at] = d.tree(entries[at]); trees[at] == nil {
				trees[at] = entries[at].Object().Tree
			}
		}
	})
	return trees
}

// treeReader reads one object after the other, with the same memory.
type treeReader struct {
	keep    *source.Keep
	names   interned
	scratch source.Scratch
	source  *sourceFile
	file    *os.File
	buffer  []byte
}

// tree decodes an object; nil if that is for Object to do, which may have done it
// already.
func (d *treeReader) tree(e *Entry) tree.Object {
	if e.text == nil || e.event || e.decoded.Load() {
		return nil
	}
	text, ok := d.read(e.text)
	if !ok {
		return nil
	}
	obj, ok := e.text.form.DecodeParts(text, d.keep, e.text.source.Input, &d.scratch)
	if !ok {
		return nil
	}
	e.giveKind(obj)
	if mask.IsSecret(obj) || newEntry(obj).ID() != e.ID() {
		return nil
	}
	return d.own(obj).(tree.Object)
}

// read returns a passage, which is valid until the next one is read.
func (d *treeReader) read(t *passage) (text string, ok bool) {
	if t.source.held {
		return t.source.text[t.offset : t.offset+t.length], true
	}
	if d.source != t.source {
		d.close()
		d.source = t.source
		if t.source.store == nil {
			d.file = t.source.unchanged()
		}
	}
	if t.source.store == nil && d.file == nil || t.length == 0 {
		return "", false
	}
	if int64(len(d.buffer)) < t.length {
		d.buffer = make([]byte, 2*t.length)
	}
	if _, err := t.source.readAt(d.file, d.buffer[:t.length], t.offset); err != nil {
		return "", false
	}
	return unsafe.String(&d.buffer[0], t.length), true
}

func (d *treeReader) close() {
	if d.file != nil {
		d.file.Close()
		d.file = nil
	}
}

// longName is the length from which a text is seldom in two objects.
const longName = 64

// own copies a value.
func (d *treeReader) own(v any) any {
	switch v := v.(type) {
	case string:
		if len(v) < longName {
			return d.names.text(v)
		}
		return strings.Clone(v)
	case tree.Object:
		own := make(tree.Object, len(v))
		for key, value := range v {
			own[d.names.text(key)] = d.own(value)
		}
		return own
	case []any:
		for i, value := range v {
			v[i] = d.own(value)
		}
	}
	return v
}
