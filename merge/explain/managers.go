package explain

import (
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/owners"
	"threeway/merge/tree"
)

// managers looks up who owns the fields of a live object.
type managers struct {
	live    tree.Object
	read    bool // whether entries are
	entries []owners.Entry
	// object is the type of the live object, nil if it has none that is built in.
	object *schema.Type
	// own is the manager that applies client-side.
	own string
}

// all are the entries of managedFields, read on the first call.
func (m *managers) all() []owners.Entry {
	if !m.read {
		m.entries, m.read = owners.Read(m.live), true
	}
	return m.entries
}

// owner names the managers of the field at path, other than the one that applies.
func (m *managers) owner(path fieldpath.Path) string {
	var names []string
	for _, e := range m.all() {
		if e.Manager != m.own && e.Owns(path) {
			names = append(names, e.Manager)
		}
	}
	return strings.Join(distinct(names), ", ")
}

// others names, sorted, who owns the field at path besides the one that applies
// as name, and reports whether that one does too.
func (m *managers) others(path fieldpath.Path, name string) (names []string, own bool) {
	for _, e := range m.all() {
		switch {
		case !e.Owns(path):
		case e.Manager == name && e.Applies():
			own = true
		default:
			names = append(names, e.Manager)
		}
	}
	return distinct(names), own
}

// unit is the part of a path that is owned as a whole: an object that is atomic,
// or all of the path.
func (m *managers) unit(path fieldpath.Path) fieldpath.Path {
	t, f := m.object, (*schema.Field)(nil)
	for i, s := range path {
		switch {
		case t == nil:
			return path
		case t.MapType == "atomic" || f != nil && f.MapType == "atomic":
			return path[:i]
		case s.Keys != nil || s.IsIndex:
			t, f = t.Elem, nil
		default:
			t, f = t.Child(s.Field)
		}
	}
	return path
}

// wholeIn is the part of a path that an entry owns with all that is in it, or all
// of the path: how a custom resource tells that an object is atomic.
func (m *managers) wholeIn(path fieldpath.Path) fieldpath.Path {
	for _, e := range m.all() {
		part := e.All()
		for i, s := range path {
			if part.Whole() {
				return path[:i]
			}
			part = part.Step(s)
		}
	}
	return path
}

// distinct sorts names and leaves out repetitions.
func distinct(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
