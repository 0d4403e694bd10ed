package lint

import (
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// List is a list in a manifest whose items the schema merges.
type List struct {
	Path fieldpath.Path
	// Field is the list in the schema.
	Field *schema.Field
	Items []any
}

// Merges reports whether the items are merged by a key.
func (l List) Merges() bool { return l.Field.MergeKey != "" }

// Lists returns the lists of the manifest that merge, outer ones first.
func (o *Object) Lists() []List { return o.lists.Get(o.walkLists) }

func (o *Object) walkLists() (lists []List) {
	at := make(fieldpath.Path, 0, 16)
	var walk func(v any, f *schema.Field, t *schema.Type)
	walk = func(v any, f *schema.Field, t *schema.Type) {
		depth := len(at)
		if t == nil {
			return // what the schema does not know merges nowhere, and may be deep
		}
		switch v := v.(type) {
		case map[string]any:
			for _, key := range branches(v) {
				at = append(at[:depth], fieldpath.Step{Field: key})
				f, t := child(t, key)
				walk(v[key], f, t)
			}
		case []any:
			if f != nil && f.Merge {
				lists = append(lists, List{slices.Clone(at), f, v})
			}
			for i, x := range v {
				if tree.Compound(x) {
					at = append(at[:depth], fieldpath.Step{Index: i, IsIndex: true})
					walk(x, nil, elem(t))
				}
			}
		}
		at = at[:depth]
	}
	walk(o.Manifest.Tree, nil, o.Schema)
	return lists
}

// branches returns the keys of a map whose values are maps or lists, sorted.
func branches(m tree.Object) []string {
	keys := make([]string, 0, len(m))
	for key, v := range m {
		if tree.Compound(v) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
