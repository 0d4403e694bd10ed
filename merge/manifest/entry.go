package manifest

import (
	"fmt"
	"strings"
	"sync"

	"threeway/merge/schema"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// Entry is what the index of a snapshot knows of an object without decoding
// it.
type Entry struct {
	Kind            schema.Kind
	Namespace, Name string
	UID             string
	// Owners are the uids of its owner references.
	Owners []string
	Labels tree.Object
	// LastApplied tells whether it has kubectl's last-applied annotation.
	LastApplied bool

	once   sync.Once
	object *Object
	text   *passage // nil: the object was decoded when it was read
}

// passage is the place of an object's text in a file.
type passage struct {
	source         *sourceFile
	offset, length int64
	line, column   int // from 1
	origin         Origin
	isJSON         bool
}

// lastAppliedKey is the annotation by which kubectl marks what it applied.
const lastAppliedKey = "kubectl.kubernetes.io/last-applied-configuration"

// entryParts are the parts of an object that an Entry is made of.
var entryParts = sync.OnceValue(func() *source.Keep {
	return &source.Keep{Fields: map[string]*source.Keep{
		"apiVersion": source.Everything, "kind": source.Everything, "items": source.Presence,
		"metadata": {Fields: map[string]*source.Keep{
			"name": source.Everything, "namespace": source.Everything, "uid": source.Everything,
			"labels":          source.Everything,
			"annotations":     {Fields: map[string]*source.Keep{lastAppliedKey: source.Presence}},
			"ownerReferences": {Items: &source.Keep{Fields: map[string]*source.Keep{"uid": source.Everything}}},
			"managedFields":   {Items: &source.Keep{Fields: map[string]*source.Keep{"time": source.Everything}}},
		}},
	}}
})

// newEntry makes an entry of an object, or of the parts of one. The strings
// are the object's.
func newEntry(obj tree.Object) *Entry {
	meta := tree.Map(obj, "metadata")
	e := &Entry{
		Kind:      kindOf(obj),
		Namespace: tree.String(meta, "namespace"),
		Name:      tree.String(meta, "name"),
		UID:       tree.String(meta, "uid"),
		Labels:    tree.Map(meta, "labels"),
	}
	_, e.LastApplied = tree.Get(meta, "annotations", lastAppliedKey)
	for _, ref := range tree.List(meta, "ownerReferences") {
		if uid := tree.String(ref, "uid"); uid != "" {
			e.Owners = append(e.Owners, uid)
		}
	}
	return e
}

// newestWrite is the newest time in an object's managedFields.
func newestWrite(obj tree.Object) string {
	newest := ""
	for _, m := range tree.List(obj, "metadata", "managedFields") {
		newest = max(newest, tree.String(m, "time"))
	}
	return newest
}

// ID is the identity of the object.
func (e *Entry) ID() Identity { return Identity{e.Kind.Group, e.Kind.Kind, e.Namespace, e.Name} }

// Object decodes the object, once. If its file has changed since it was
// indexed, it has nothing but its name, and Snapshot.Failed tells.
func (e *Entry) Object() *Object {
	e.once.Do(func() {
		if e.object == nil {
			e.object = e.decode()
		}
	})
	return e.object
}

func (e *Entry) decode() *Object {
	obj, text, err := e.text.decode()
	if err == nil && newEntry(obj).ID() != e.ID() {
		err = fmt.Errorf("another object is where %s was", e.ID())
	}
	if err != nil {
		e.text.source.fail(err)
		obj = tree.Object{"apiVersion": e.Kind.APIVersion(), "kind": e.Kind.Kind,
			"metadata": tree.Object{"name": e.Name, "namespace": e.Namespace}}
	}
	return &Object{
		Kind: e.Kind, Namespace: e.Namespace, Name: e.Name, Tree: obj, Origin: e.text.origin,
		doc: &source.Document{File: e.text.origin.File, Number: e.text.origin.Document, Text: text,
			Line: e.text.line, Column: e.text.column, IsJSON: e.text.isJSON, Limit: e.text.source.Input},
	}
}

// decode reads the passage and decodes it.
func (t *passage) decode() (obj tree.Object, text string, err error) {
	if text, err = t.source.read(t.offset, t.length); err != nil {
		return nil, "", err
	}
	ok := false
	if t.isJSON {
		obj, ok = source.DecodeJSON(text)
	} else if obj, _, ok = source.DecodeElement(text, source.Everything, t.source.Input); ok {
		text = " " + strings.TrimPrefix(text, "-") // a mapping, with every column as it was
	}
	if !ok {
		return nil, "", fmt.Errorf("no object is at line %d any more", t.line)
	}
	return obj, text, nil
}

// at is file:line of the object.
func (e *Entry) at() string {
	if e.object != nil {
		return e.object.at()
	}
	return fmt.Sprintf("%s:%d", e.text.origin.File, e.text.line)
}
