package rehearsal

import (
	"cmp"
	"errors"
	"fmt"
	"sync"

	"threeway/merge/kube"
	"threeway/merge/manifest"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// LastAppliedKey is the annotation in which kubectl keeps what it last applied.
const LastAppliedKey = tree.LastApplied

// Annotated returns config as kubectl sends it: with a last-applied annotation that holds
// what Plain returns.
func Annotated(config tree.Object, minor int) (tree.Object, error) {
	obj := Plain(config, minor)
	text, err := EncodeLastApplied(obj)
	if err != nil {
		return nil, err
	}
	return WithLastApplied(obj, text), nil
}

// WithLastApplied is what Plain returns, with an annotation.
func WithLastApplied(plain tree.Object, text string) tree.Object {
	obj, metadata := tree.Shallow(plain), tree.Shallow(tree.Map(plain, "metadata"))
	annotations := tree.Shallow(tree.Map(metadata, "annotations"))
	annotations[LastAppliedKey], metadata["annotations"], obj["metadata"] = text, annotations, metadata
	return obj
}

// Plain returns config as kubectl compares it: without the last-applied annotation. An
// object without annotations gets an empty map
// (kubectl pkg/util/apply.go GetModifiedConfiguration). Annotations pass through a
// map of strings in it (apimachinery pkg/apis/meta/v1/unstructured GetAnnotations).
func Plain(config tree.Object, minor int) tree.Object {
	obj := tree.Shallow(config)
	metadata := tree.Shallow(tree.Map(config, "metadata"))
	annotations := tree.Shallow(tree.Map(metadata, "annotations"))
	delete(annotations, LastAppliedKey)
	for k, v := range annotations {
		if v != nil {
			continue
		}
		if !kube.NullAnnotations.In(minor) {
			annotations = tree.Object{}
			break
		}
		annotations[k] = ""
	}
	metadata["annotations"] = annotations
	obj["metadata"] = metadata
	return obj
}

// EncodeLastApplied is the JSON that kubectl writes: compact, keys sorted, HTML
// characters escaped, a newline at the end.
func EncodeLastApplied(obj tree.Object) (string, error) { return EncodeAgain(obj, "") }

// EncodeAgain is EncodeLastApplied of what was probably encoded before, as the text.
func EncodeAgain(obj tree.Object, before string) (string, error) {
	room := rooms.Get().(*[]byte)
	defer rooms.Put(room)
	text, err := tree.AppendJSON((*room)[:0], obj)
	if err != nil {
		return "", fmt.Errorf("encode the manifest as JSON: %w", err)
	}
	*room = append(text, '\n')
	if string(*room) == before {
		return before, nil
	}
	return string(*room), nil
}

// rooms are for texts.
var rooms = sync.Pool{New: func() any { return new([]byte) }}

// Named is a last-applied manifest with the name and namespace of the object whose annotation it
// is: that of a copy names the original, and kubectl applies by what it is on.
func Named(last tree.Object, id manifest.Identity) tree.Object {
	if name, space := tree.String(last, "metadata", "name"), tree.String(last, "metadata", "namespace"); name == id.Name && (space == id.Namespace || space == "") {
		return last
	}
	last = tree.CopyObject(last)
	tree.Set(last, id.Name, "metadata", "name")
	if id.Namespace != "" {
		tree.Set(last, id.Namespace, "metadata", "namespace")
	}
	return last
}

// ReadLastApplied returns the config in the annotation of a live object; nil
// if there is none or it is empty.
func ReadLastApplied(live tree.Object) (config tree.Object, text string, err error) {
	text = tree.String(live, "metadata", "annotations", LastAppliedKey)
	if text == "" {
		return nil, "", nil
	}
	config, ok := source.ParseObject(text)
	if !ok {
		return nil, text, ErrBadLastApplied
	}
	return config, text, nil
}

// LastAppliedText is the value that kubectl would give the last-applied
// annotation of an object made of the config, as replace --save-config does.
func LastAppliedText(config tree.Object) (string, error) {
	return EncodeLastApplied(Plain(config, DefaultMinor))
}

// ErrBadLastApplied is what apimachinery says of an annotation that is no JSON.
var ErrBadLastApplied = errors.New("invalid JSON document")

// StandIn is the manifest that stands in for the last-applied annotation of a
// live object, nil if there is none. A manifest without a namespace means the
// one that the apply goes to.
func (r *Run) StandIn(id manifest.Identity) tree.Object {
	last := r.LastApplied[id]
	if last == nil && id.Namespace == cmp.Or(r.Namespace, "default") {
		id.Namespace = ""
		last = r.LastApplied[id]
	}
	return last
}
