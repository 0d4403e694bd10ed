// Package reference knows by which fields objects refer to others, and what
// happens while the other one is missing. [Table] is data: one line is one field.
package reference

import (
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/impact/setting"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/memo"
	"threeway/merge/tree"
)

// Reference is one object that another one refers to.
type Reference struct {
	*Fact
	// Path is the field with the name; At the part, if it needs one.
	Path fieldpath.Path
	To   manifest.Identity
	// Part is the key or the port (a name, or an int64) that is needed; nil if
	// the object is enough.
	Part any
	At   fieldpath.Path
	// Optional says that the object, or its part, may be missing.
	Optional bool
}

// Need is what a reference needs, wherever it stands.
type Need struct {
	To       manifest.Identity
	Part     any
	Optional bool
	Effect   string
}

// Need is what the reference needs.
func (r Reference) Need() Need { return Need{r.To, r.Part, r.Optional, r.Effect} }

// placed is a fact with its places in the objects of one kind.
type placed struct {
	*Fact
	pattern setting.Pattern
}

var byKind memo.Table[string, []placed] // of the table, by Kind.group

// Declared is a field of the settings that refers to other objects.
func Declared(from, field, to string, cluster bool) Fact {
	f := Fact{From: from, Field: field, To: to, Effect: "what it is for does not work"}
	if cluster {
		f.Namespace = Cluster
	}
	return f
}

// Kinds reports whether objects of a kind may refer to others.
func Kinds(k schema.Kind, more []Fact) bool { return len(factsOf(k))+len(place(more, k)) > 0 }

// CrossesNamespaces reports whether the table has a field of a kind that names the
// namespace of the object it refers to.
func CrossesNamespaces(k schema.Kind) bool {
	return slices.ContainsFunc(factsOf(k), func(f placed) bool { return f.Namespace == Named })
}

func factsOf(k schema.Kind) []placed {
	return byKind.Get(k.GroupKind(), func() []placed { return place(Table, k) })
}

func place(table []Fact, k schema.Kind) (list []placed) {
	for i := range table {
		for _, at := range setting.Places(table[i].From, k) {
			list = append(list, placed{&table[i], setting.ParsePattern(at + table[i].Field)})
		}
	}
	return list
}

// Of lists the references of an object, by the table and by more facts.
func Of(k schema.Kind, namespace string, obj tree.Object, more []Fact) (list []Reference) {
	for _, f := range slices.Concat(factsOf(k), place(more, k)) {
		for _, path := range f.pattern.Find(obj) {
			v, _ := path.Find(obj)
			list = append(list, f.references(path, v, namespace)...)
		}
	}
	return list
}

func (f *Fact) references(path fieldpath.Path, v any, namespace string) []Reference {
	name, _ := v.(string)
	if f.Name != "" {
		name = tree.String(v, f.Name)
	}
	if name == "" {
		return nil
	}
	if f.Name != "" {
		path = path.Child(f.Name)
	}
	kind, ok := f.kind(v)
	if !ok {
		return nil
	}
	r := Reference{Fact: f, Path: path, To: kind, Optional: tree.Bool(v, "optional")}
	r.To.Name = name
	switch own := tree.String(v, "namespace"); {
	case f.Namespace == Cluster, strings.HasPrefix(f.To, ".") && strings.HasPrefix(kind.Kind, "Cluster"):
	case f.Namespace == Named && own != "":
		r.To.Namespace = own
	default:
		r.To.Namespace = namespace
	}
	if f.Name == "" || f.Part == "" {
		return []Reference{r}
	}
	return r.parts(path[:len(path)-1], v)
}

// kind is the kind referred to, without a name.
func (f *Fact) kind(v any) (manifest.Identity, bool) {
	kind, group := tree.String(v, "kind"), tree.String(v, "group")
	if version, _, ok := strings.Cut(tree.String(v, "apiVersion"), "/"); ok {
		group = version
	}
	switch {
	case f.To != "" && f.To[0] != '.':
		return identity(f.To), true
	case kind == "":
		return identity(f.Default), f.Default != ""
	case f.To != "":
		return manifest.Identity{Group: f.To[1:], Kind: kind}, group == "" || group == f.To[1:]
	case group == "" && f.Default != "":
		def := identity(f.Default)
		return def, def.Kind == kind
	}
	return manifest.Identity{Group: group, Kind: kind}, true
}

// identity reads Kind.group.
func identity(kind string) manifest.Identity {
	name, group, _ := strings.Cut(kind, ".")
	return manifest.Identity{Group: group, Kind: name}
}

// parts are the reference to each part of the object that is needed.
func (r Reference) parts(at fieldpath.Path, v any) []Reference {
	if r.Fact.Part == "port" {
		r.At = at.Child("port")
		port, _ := tree.Get(v, "port")
		switch p := port.(type) {
		case int64:
			r.Part = p
		case map[string]any:
			if name := tree.String(p, "name"); name != "" {
				r.Part = name
			} else if n, ok := tree.Int(p, "number"); ok {
				r.Part = n
			}
		}
		return []Reference{r}
	}
	var list []Reference
	m, _ := v.(map[string]any)
	pattern := setting.ParsePattern(r.Fact.Part)
	for _, path := range pattern.Find(m) {
		one := r
		one.At = at.Join(path)
		one.Part, _ = path.Find(m)
		list = append(list, one)
	}
	if list == nil {
		return []Reference{r}
	}
	return list
}

// Makes reports whether the controller of a kind makes objects by name.
func Makes(k schema.Kind) bool {
	return slices.ContainsFunc(MadeTable, func(m Made) bool { return slices.Contains(strings.Fields(m.From), k.GroupKind()) })
}

// MadeBy lists the objects that the controller of an object makes.
func MadeBy(k schema.Kind, namespace string, obj tree.Object) (list []manifest.Identity) {
	for _, m := range MadeTable {
		for _, at := range setting.Places(m.From, k) {
			if m.With != "" && !tree.Has(obj, "metadata", "annotations", m.With) {
				continue
			}
			for _, path := range setting.ParsePattern(at + m.Field).Find(obj) {
				v, _ := path.Find(obj)
				if name, _ := v.(string); name != "" {
					id := identity(m.To)
					id.Namespace, id.Name = namespace, name
					list = append(list, id)
				}
			}
		}
	}
	return list
}
