package serverside

import (
	smd "sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// Owner is an entry of managedFields: who owns fields, and how.
type Owner struct {
	Manager     string
	Operation   string // Apply or Update
	Subresource string // "scale", "status" or another, mostly ""
	APIVersion  string
	Time        string // of its last write, "" if unknown
}

// Applies reports whether the owner applies server-side, rather than update.
func (o Owner) Applies() bool { return o.Operation == applies }

// Is reports whether it is the same entry, at whatever time.
func (o Owner) Is(p Owner) bool {
	o.Time, p.Time = "", ""
	if o.Applies() {
		o.APIVersion, p.APIVersion = "", ""
	}
	return o == p
}

// Fields are the fields that one owner has. The zero value has none.
type Fields struct {
	Owner
	set *smd.Set
}

// ReadEntries reads managedFields. Entries that cannot be read are left out.
func ReadEntries(entries []any) []Fields {
	var list []Fields
	for _, e := range entries {
		set, err := setOf(e)
		if err != nil {
			continue
		}
		list = append(list, Fields{ReadOwner(e), set})
	}
	return list
}

// ReadOwner reads whose an entry of managedFields is.
func ReadOwner(entry any) Owner {
	return Owner{
		Manager: tree.String(entry, "manager"), Operation: tree.String(entry, "operation"), Subresource: tree.String(entry, "subresource"),
		APIVersion: tree.String(entry, "apiVersion"), Time: tree.String(entry, "time"),
	}
}

// Leaves are the paths of the fields in which no other ones lie.
func (f Fields) Leaves() []fieldpath.Path {
	var paths []fieldpath.Path
	f.fields().Leaves().Iterate(func(p smd.Path) { paths = append(paths, pathOf(p)) })
	return paths
}

// Shared are the fields that both have.
func (f Fields) Shared(g Fields) Fields { return Fields{f.Owner, f.fields().Intersection(g.fields())} }

// Without are the fields that f has and g has not.
func (f Fields) Without(g Fields) Fields { return Fields{f.Owner, f.fields().Difference(g.fields())} }

func (f Fields) fields() *smd.Set {
	if f.set == nil {
		return smd.NewSet()
	}
	return f.set
}

// At is the conflict's field.
func (c Conflict) At() fieldpath.Path { return pathOf(c.Path) }

func pathOf(p smd.Path) fieldpath.Path {
	var path fieldpath.Path
	for _, e := range p {
		switch {
		case e.FieldName != nil:
			path = path.Child(*e.FieldName)
		case e.Key != nil:
			var keys []fieldpath.Key
			for _, k := range *e.Key {
				keys = append(keys, fieldpath.Key{Name: k.Name, Value: k.Value.Unstructured()})
			}
			path = path.Select(keys...)
		case e.Value != nil:
			path = path.Element((*e.Value).Unstructured())
		case e.Index != nil:
			path = path.Item(*e.Index)
		}
	}
	return path
}
