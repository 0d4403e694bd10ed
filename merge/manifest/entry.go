package manifest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"weak"

	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/mask"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// Entry is what the index of a snapshot knows about an object without decoding
// it.
type Entry struct {
	Kind            schema.Kind
	Namespace, Name string
	UID             string
	// Owners are the uids in its owner references.
	Owners []string
	// LastApplied reports whether the object has kubectl's last-applied
	// annotation.
	LastApplied bool

	// labels are those of an object that is decoded when it is needed.
	labels packed
	// resourceVersion is 0 if it is not a number.
	resourceVersion uint64
	// preferred: in a Velero backup, the version that the cluster preferred.
	// found: found among other files of a directory or archive. event: a state
	// in a watch. deleted: the last state in a watch.
	preferred, found, event, deleted bool

	once    sync.Once
	decoded atomic.Bool
	object  *Object
	text    *passage // nil: the object was decoded when it was read
}

// passage is the place of an object's text in a file.
type passage struct {
	source         *sourceFile
	offset, length int64
	line, column   int // from 1
	origin         Origin
	form           source.Form
	number         int // of the document in the file; 0 for an item of a List

	mutex sync.Mutex
	last  weak.Pointer[source.Document] // which was read last
}

// entryParts are the parts of an object that an Entry needs.
var entryParts = sync.OnceValue(func() *source.Keep {
	return &source.Keep{Fields: map[string]*source.Keep{
		"apiVersion": source.Everything, "kind": source.Everything, "items": source.Presence,
		"metadata": {Fields: map[string]*source.Keep{
			"resourceVersion": source.Everything, "name": source.Everything, "namespace": source.Everything, "uid": source.Everything,
			"labels":          source.Everything,
			"annotations":     {Fields: map[string]*source.Keep{tree.LastApplied: source.Presence}},
			"ownerReferences": {Items: &source.Keep{Fields: map[string]*source.Keep{"uid": source.Everything}}},
			"managedFields":   {Items: &source.Keep{Fields: map[string]*source.Keep{"time": source.Everything}}},
		}},
	}}
})

// documentParts are the parts of an object that is a document by itself. Its
// metadata must be valid.
var documentParts = sync.OnceValue(func() *source.Keep {
	meta := &source.Keep{Fields: map[string]*source.Keep{}}
	for name := range objectShape().fields["metadata"].fields {
		meta.Fields[name] = source.Everything
	}
	meta.Fields["annotations"] = &source.Keep{Each: source.Type}
	entry := &source.Keep{Fields: map[string]*source.Keep{}}
	for name := range objectShape().fields["metadata"].fields["managedFields"].elem.fields {
		entry.Fields[name] = source.Type
	}
	entry.Fields["time"], entry.Fields["fieldsV1"] = source.Everything, source.Presence
	meta.Fields["managedFields"] = &source.Keep{Items: entry}
	object := map[string]*source.Keep{"apiVersion": source.Everything, "kind": source.Everything, "items": source.Presence, "metadata": meta}
	document := maps.Clone(object)
	document["type"], document["object"] = source.Everything, &source.Keep{Fields: object}
	return &source.Keep{Fields: document}
})

// watched returns the object and the type of a watch event. The type is "" if
// the document is not a watch event
// (k8s.io/apimachinery/pkg/apis/meta/v1/watch.go WatchEvent).
func watched(document tree.Object) (obj tree.Object, event string) {
	obj, isObject := document["object"].(tree.Object)
	if event, _ = document["type"].(string); event == "" || !isObject || document["kind"] != nil {
		return document, ""
	}
	return obj, event
}

// validMetadata reports whether a document's metadata has the types it must
// have. The parts have null in place of a value that is not an object.
func validMetadata(parts tree.Object) bool {
	meta, ok := parts["metadata"].(tree.Object)
	if words, _ := metadataError(parts); !ok || words != "" {
		return false
	}
	return !slices.Contains(tree.List(meta, "managedFields"), nil)
}

// newEntry returns the entry of an object, or of the parts of one. It shares
// the object's strings.
func newEntry(obj tree.Object) *Entry {
	meta := tree.Map(obj, "metadata")
	e := &Entry{
		Kind:      kindOf(obj),
		Namespace: tree.String(meta, "namespace"),
		Name:      tree.String(meta, "name"),
		UID:       tree.String(meta, "uid"),
	}
	e.resourceVersion, _ = strconv.ParseUint(tree.String(meta, "resourceVersion"), 10, 64)
	_, e.LastApplied = tree.Get(meta, "annotations", tree.LastApplied)
	for _, ref := range tree.List(meta, "ownerReferences") {
		if uid := tree.String(ref, "uid"); uid != "" {
			e.Owners = append(e.Owners, uid)
		}
	}
	return e
}

// Same reports whether two entries are the same state of the same object.
func (e *Entry) Same(other *Entry) bool {
	return e.UID != "" && e.UID == other.UID && e.resourceVersion > 0 && e.resourceVersion == other.resourceVersion && e.Kind == other.Kind
}

// outdates reports whether this entry is used instead of a later one of the
// same object: it has the preferred version, or is a newer state
// (k8s.io/apimachinery/pkg/util/resourceversion).
func (e *Entry) outdates(later *Entry) bool {
	if e.preferred != later.preferred {
		return e.preferred
	}
	return e.comparable(later) && e.resourceVersion > later.resourceVersion
}

// comparable reports whether it is known which of two entries of the same object
// is newer.
func (e *Entry) comparable(other *Entry) bool {
	return e.UID != "" && e.UID == other.UID && e.resourceVersion > 0 && other.resourceVersion > 0
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

// Object decodes the object, once. If the file has changed since it was
// indexed, the object has only its name, and Snapshot.Failed returns the error.
func (e *Entry) Object() *Object {
	e.once.Do(func() {
		if e.object == nil {
			var shared *source.Shared
			if e.text != nil {
				shared = e.text.source.shared
			}
			e.object = e.decode(shared)
			e.decoded.Store(true)
		}
	})
	return e.object
}

// Once is Object without keeping what is decoded: for those who go through a
// snapshot once.
func (e *Entry) Once() *Object {
	if e.text == nil {
		return e.object
	}
	return e.decode(nil)
}

func (e *Entry) decode(shared *source.Shared) *Object {
	obj, text, err := e.text.decode(shared)
	var within fieldpath.Path
	if e.event {
		obj, _ = watched(obj)
		within = fieldpath.New("object")
	}
	if err == nil {
		e.giveKind(obj)
	}
	if mask.IsSecret(obj) {
		unelide(obj)
	}
	if shared != nil {
		tree.Pooled(obj)
	}
	if err == nil && newEntry(obj).ID() != e.ID() {
		err = fmt.Errorf("the file changed while it was read: another object is where %s was", e.ID())
	}
	if err != nil {
		e.text.source.fail(err)
		obj = tree.Object{"apiVersion": e.Kind.APIVersion(), "kind": e.Kind.Kind,
			"metadata": tree.Object{"name": e.Name, "namespace": e.Namespace}}
	}
	origin := e.text.origin
	if e.text.number > 0 {
		origin = e.text.with(text).Origin()
	}
	return &Object{Kind: e.Kind, Namespace: e.Namespace, Name: e.Name, Tree: obj, Origin: origin, doc: e.text, within: within}
}

// with is the object with its text.
func (t *passage) with(text string) *source.Document {
	return &source.Document{File: t.origin.File, Number: t.origin.Document, Text: t.form.Shown(text),
		Line: t.line, Column: t.column, IsJSON: t.form.IsJSON(), Limit: t.source.Input}
}

// document reads the text again, unless it is still there from the last time.
func (t *passage) document() *source.Document {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if doc := t.last.Value(); doc != nil {
		return doc
	}
	text, err := t.source.read(t.offset, t.length, nil)
	if err != nil {
		t.source.fail(err)
	}
	doc := t.with(text)
	t.last = weak.Make(doc)
	return doc
}

// giveKind adds the kind to an item of a FooList.
func (e *Entry) giveKind(obj tree.Object) {
	if tree.String(obj, "kind") == "" && tree.String(obj, "apiVersion") == "" {
		obj["kind"], obj["apiVersion"] = e.Kind.Kind, e.Kind.APIVersion()
	}
}

// decode reads the passage and decodes it. With copies, the tree has no part of the text,
// which is not in memory otherwise.
func (t *passage) decode(shared *source.Shared) (obj tree.Object, text string, err error) {
	copies := shared != nil && t.form.IsJSON() && !t.source.held
	var room *[]byte
	if copies && t.number == 0 { // a document tells by its text where it begins
		room = rooms.Get().(*[]byte)
		defer rooms.Put(room)
	}
	if text, err = t.source.read(t.offset, t.length, room); err != nil {
		return nil, "", err
	}
	obj, ok := t.form.Decode(text, t.source.Input, shared, copies)
	if !ok {
		return nil, "", fmt.Errorf("the file changed while it was read: no object is at line %d any more", t.line)
	}
	if room != nil {
		text = ""
	}
	return obj, text, nil
}

// rooms are for texts of which nothing stays.
var rooms = sync.Pool{New: func() any { return new([]byte) }}

// at is file:line of the object.
func (e *Entry) at() string {
	if e.object != nil {
		return e.object.At()
	}
	return fmt.Sprintf("%s:%d", e.text.origin.File, e.text.line)
}
