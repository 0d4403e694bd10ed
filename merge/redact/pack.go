package redact

import (
	"cmp"
	"io"
	"slices"

	"threeway/merge/manifest"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
)

// Pack writes the objects of a snapshot as YAML with the values replaced: each
// a document, sorted by kind, namespace and name, its keys sorted. The same
// objects give the same bytes, whatever they were read from. A kind of which
// the snapshot has an empty list keeps its list. The version of the server is a
// comment at the beginning. With copies, those of all values that were replaced before
// are replaced too.
func (r *Redactor) Pack(out io.Writer, live *manifest.Snapshot, copies bool) error {
	if _, err := io.WriteString(out, live.Server.Comment()); err != nil {
		return err
	}
	for _, kind := range live.Kinds() {
		if len(live.EntriesOfKind(kind.GroupKind())) > 0 {
			continue
		}
		list := tree.Object{"apiVersion": kind.APIVersion(), "kind": kind.Kind + "List", "items": []any{}}
		if err := document(out, list); err != nil {
			return err
		}
	}
	entries := slices.SortedFunc(slices.Values(live.Entries), func(a, b *manifest.Entry) int {
		return cmp.Or(cmp.Compare(a.Kind.Group, b.Kind.Group), cmp.Compare(a.Kind.Kind, b.Kind.Kind),
			cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	for _, e := range entries {
		// A copy: the object belongs to the snapshot.
		obj := tree.CopyObject(e.Once().Tree)
		if tree.String(obj, "kind") == "" {
			obj["apiVersion"], obj["kind"] = e.Kind.APIVersion(), e.Kind.Kind
		}
		if r.object(obj); copies {
			r.copies(obj)
		}
		if err := document(out, obj); err != nil {
			return err
		}
	}
	return live.Failed()
}

func document(out io.Writer, obj tree.Object) error {
	_, err := io.WriteString(out, "---\n"+yamltext.YAML(obj))
	return err
}
