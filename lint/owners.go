package lint

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// Owner is an entry of managedFields.
type Owner struct {
	Manager, Operation, Subresource, APIVersion string

	fields tree.Object
	leaves func() []fieldpath.Path
}

// Owners lists the entries of the live object's managedFields.
func (o *Object) Owners() []Owner { return o.owners() }

func ownersOf(live tree.Object) []Owner {
	var list []Owner
	for _, e := range tree.List(live, "metadata", "managedFields") {
		fields := tree.Map(e, "fieldsV1")
		list = append(list, Owner{
			tree.String(e, "manager"), tree.String(e, "operation"), tree.String(e, "subresource"), tree.String(e, "apiVersion"),
			fields, sync.OnceValue(func() []fieldpath.Path { return leaves(fields, nil) }),
		})
	}
	return list
}

// OwnersOf lists the owners of the field at the path, or of one below it.
// Items of lists are named by their keys.
func (o *Object) OwnersOf(p fieldpath.Path) []Owner {
	return slices.DeleteFunc(slices.Clone(o.Owners()), func(w Owner) bool { return !owns(w.fields, p) })
}

// Fields lists the leaves that an owner has, as paths; items of lists by key.
func (w Owner) Fields() []fieldpath.Path { return w.leaves() }

func leaves(fields tree.Object, at fieldpath.Path) []fieldpath.Path {
	var list []fieldpath.Path
	for _, key := range tree.Keys(fields) {
		p, ok := stepOf(key, at)
		if !ok {
			continue
		}
		if below := leaves(tree.Map(fields, key), p); len(below) > 0 {
			list = append(list, below...)
		} else {
			list = append(list, p)
		}
	}
	return list
}

// stepOf appends a key of FieldsV1 to a path.
func stepOf(key string, at fieldpath.Path) (fieldpath.Path, bool) {
	kind, text, ok := strings.Cut(key, ":")
	if !ok {
		return nil, false // "." is the parent itself
	}
	switch kind {
	case "f":
		return at.Child(text), true
	case "k":
		var m map[string]any
		if json.Unmarshal([]byte(text), &m) != nil {
			return nil, false
		}
		var keys []fieldpath.Key
		for _, name := range tree.Keys(m) {
			keys = append(keys, fieldpath.Key{Name: name, Value: whole(m[name])})
		}
		return at.Select(keys...), true
	case "v":
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			return nil, false
		}
		return at.Element(whole(v)), true
	}
	return nil, false
}

func whole(v any) any {
	if f, ok := v.(float64); ok {
		return int64(f)
	}
	return v
}

func owns(fields tree.Object, p fieldpath.Path) bool {
	if fields == nil {
		return false
	}
	if len(p) == 0 {
		return true
	}
	for key := range fields {
		step, ok := stepOf(key, nil)
		if ok && step[0].Means(p[0]) && owns(tree.Map(fields, key), p[1:]) {
			return true
		}
	}
	return false
}

// ownedBy reports whether the finding is about a field of an accepted object
// that the manager owns, or of which it owns all that anybody owns.
func (f *Finding) ownedBy(manager string) bool {
	if f.object == nil || f.object.Action == merge.Rejected || len(f.Path) == 0 {
		return false
	}
	path := f.object.Keyed(f.Path, f.object.Config.Tree)
	var own, others []fieldpath.Path
	for _, w := range f.object.Owners() {
		for _, p := range w.Fields() {
			switch {
			case w.Manager == manager && p.Holds(path):
				return true
			case !path.Holds(p):
			case w.Manager == manager:
				own = append(own, p)
			default:
				others = append(others, p)
			}
		}
	}
	return len(own) > 0 && !slices.ContainsFunc(others, func(p fieldpath.Path) bool {
		return !slices.ContainsFunc(own, p.Equal)
	})
}
