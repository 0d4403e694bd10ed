package editor

import (
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/impact/setting"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
	"threeway/rules/reference"
)

// subject is what a place in a document is about: an object, or a key or port of it.
type subject struct {
	manifest.Identity
	part any // nil for the object
}

// subjectAt is what the field at a position names: the object that it refers to, or, on
// the name of an object or a key of its data, that.
func (v *view) subjectAt(p position) (s subject, ok bool) {
	o := v.objectAt(p.Line)
	if o == nil {
		return s, false
	}
	p = v.inText(p)
	best := -1
	consider := func(path fieldpath.Path, of subject) {
		at, found := v.place(o, path)
		if found && at.Line == p.Line && at.Character <= p.Character && at.Character > best {
			s, best = of, at.Character
		}
	}
	for _, ref := range v.referencesOf(o.Manifest, o.Manifest.Tree) {
		consider(ref.Path, subject{Identity: ref.To})
		for _, path := range []fieldpath.Path{ref.At, ref.At.Child("name"), ref.At.Child("number")} { // of a port of a Service
			if ref.Part != nil {
				consider(path, subject{ref.To, ref.Part})
			}
		}
	}
	consider(fieldpath.New("metadata", "name"), subject{Identity: o.Identity()})
	for key, path := range keysOf(o.Identity(), o.Manifest.Tree) {
		consider(path, subject{o.Identity(), key})
	}
	return s, best >= 0
}

// named are fields that name other objects, and that do no harm while those are missing, so
// that no rule asks about them.
var named = []reference.Fact{
	{From: "RoleBinding.rbac.authorization.k8s.io ClusterRoleBinding.rbac.authorization.k8s.io", Field: "subjects[]", Name: "name", Namespace: reference.Named},
	{From: setting.Any, Field: "metadata.namespace", To: "Namespace", Namespace: reference.Cluster},
}

// referencesOf are the references of an object, by the table, the settings and named.
func (v *view) referencesOf(o *manifest.Object, obj tree.Object) []reference.Reference {
	return reference.Of(o.Kind, o.Namespace, obj, append(v.declared(), named...))
}

func (v *view) declared() (list []reference.Fact) {
	for _, r := range v.Input.References {
		list = append(list, reference.Declared(r.Kind, r.Field, r.To, r.Cluster))
	}
	return list
}

// keysOf are the parts of an object that others refer to, and where they are: the keys of
// a ConfigMap or Secret, the ports of a Service by number and by name.
func keysOf(id manifest.Identity, obj tree.Object) map[any]fieldpath.Path {
	keys := map[any]fieldpath.Path{}
	switch {
	case id.Group != "":
	case id.Kind == "ConfigMap", id.Kind == "Secret":
		for _, field := range []string{"binaryData", "data", "stringData"} {
			for key := range tree.Map(obj, field) {
				keys[key] = fieldpath.New(field, key)
			}
		}
	case id.Kind == "Service":
		for i, port := range tree.List(obj, "spec", "ports") {
			at := fieldpath.New("spec", "ports").Item(i)
			if n, ok := tree.Int(port, "port"); ok {
				keys[n] = at.Child("port")
			}
			if name := tree.String(port, "name"); name != "" {
				keys[name] = at.Child("name")
			}
		}
	}
	return keys
}

// inSet is an object of the manifests; nil if they do not have it.
func (v *view) inSet(id manifest.Identity) *manifest.Object {
	for _, out := range v.Input.Plan.Outcomes {
		if out.Identity() == id {
			return out.Manifest
		}
	}
	return nil
}

// definition is where the manifests, or else the snapshot, have what a field names.
func (v *view) definition(at atPosition) ([]location, error) {
	s, ok := v.subjectAt(at.Position)
	if !ok {
		return []location{}, nil
	}
	return v.defined(s), nil
}

func (v *view) defined(s subject) []location {
	o := v.inSet(s.Identity)
	if o == nil && v.Input.Options.Live != nil {
		o = v.Input.Options.Live.Find(s.Identity)
	}
	if o == nil {
		return []location{}
	}
	path := fieldpath.New("metadata", "name")
	if s.part != nil {
		if path, _ = keysOf(s.Identity, o.Tree)[s.part]; path == nil {
			return []location{}
		}
	}
	return v.locations(o, path)
}

// locations is where a file has a field of an object, as a list of one; none if the field
// is in no file that can be opened, or its line is not there at the moment.
func (v *view) locations(o *manifest.Object, path fieldpath.Path) []location {
	file := absolute(o.Origin.File)
	line, column, exact := o.Position(path)
	text, open := v.open[file]
	if !exact || !open && !regular(file) {
		return []location{}
	}
	start := position{line - 1, column - 1}
	if open {
		there, ok := text.line(line - 1)
		if !ok {
			return []location{}
		}
		start = position{there, units(text.row(there), column-1)}
	} else {
		start.Character = units(o.SourceLine(line), column-1)
	}
	return []location{{uriOf(file), span{start, start}}}
}

// references are the fields of the manifests, and of the snapshot's other objects, that
// name what the field at a position names.
func (v *view) references(at atPosition) ([]location, error) {
	list := []location{}
	s, ok := v.subjectAt(at.Position)
	if !ok {
		return list, nil
	}
	if at.Context.Declaration {
		list = append(list, v.defined(s)...)
	}
	add := func(o *manifest.Object) {
		for _, ref := range v.referencesOf(o, o.Tree) {
			switch {
			case ref.To != s.Identity:
			case s.part == nil:
				list = append(list, v.locations(o, ref.Path)...)
			case ref.Part == s.part:
				list = append(list, v.locations(o, ref.At)...)
			}
		}
	}
	set := map[manifest.Identity]bool{}
	for _, out := range v.Input.Plan.Outcomes {
		set[out.Identity()] = true
		add(out.Manifest)
	}
	if v.Input.Options.Live != nil {
		v.liveReferences(s, set, add)
	}
	return slices.CompactFunc(list, func(a, b location) bool { return a == b }), nil
}

// liveReferences looks at the objects of the snapshot that may refer to something, which
// no controller made, and of which there is no manifest.
func (v *view) liveReferences(s subject, set map[manifest.Identity]bool, look func(*manifest.Object)) {
	if s.Kind == "Namespace" {
		return // all in it
	}
	more := append(v.declared(), named[:1]...)
	var kind schema.Kind // of the entry before; an export is mostly sorted
	refers := false
	for _, e := range v.Input.Options.Live.Entries {
		if e.Kind != kind {
			kind, refers = e.Kind, reference.Kinds(e.Kind, more)
		}
		near := s.Namespace == "" || e.Namespace == s.Namespace || reference.CrossesNamespaces(e.Kind)
		if !refers || !near || len(e.Owners) > 0 || set[e.ID()] {
			continue
		}
		look(e.Once())
	}
}
