package rehearsal

import (
	"slices"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// Faults are those of the rejection, with paths in the manifest.
func (o *Outcome) Faults() []fault.Fault {
	if o.Rejection == nil {
		return nil
	}
	list := make([]fault.Fault, len(o.Rejection.Faults))
	for i, f := range o.Rejection.Faults {
		list[i] = f
		list[i].Path = o.inManifest(f.Path)
		if f.Code == fault.Immutable {
			list[i].Changed = o.changed(f.Path)
		}
		for _, other := range o.Rejection.Also {
			if list[i].Code == other.Code && o.keyed(other.Path).Equal(list[i].Path) {
				list[i].Wants = other.Wants
			}
		}
	}
	named := len(list)
	for _, f := range o.Rejection.Also {
		f.Path = o.keyed(f.Path)
		if !slices.ContainsFunc(list[:named], func(n fault.Fault) bool { return n.Path.Equal(f.Path) }) {
			list = append(list, f)
		}
	}
	return list
}

// keyed is a path into the manifest as the faults have it.
func (o *Outcome) keyed(p fieldpath.Path) fieldpath.Path { return o.from(p, o.Manifest.Tree) }

// Place is where in the manifest the field of a fault stands, or the nearest one around it
// that the manifest has. path is of a fault of the rejection.
func (o *Outcome) Place(path fieldpath.Path) manifest.Place {
	return o.Manifest.Place(o.inManifest(path))
}

// inManifest writes a path into the object that was rejected as one into the
// manifest.
func (o *Outcome) inManifest(p fieldpath.Path) fieldpath.Path {
	if len(p) == 0 {
		return nil
	}
	rejected := o.Rejection.Object
	if rejected == nil {
		rejected = o.Manifest.Tree
	}
	return authored(o.from(o.spelled(p), rejected), o.Manifest.Tree)
}

// from writes a path into a tree of the object as one into the manifest.
func (o *Outcome) from(p fieldpath.Path, rejected tree.Object) fieldpath.Path {
	keyed := o.Keyed(p, rejected)
	for i := range keyed {
		if keyed[i].Keys == nil || !p[i].IsIndex {
			continue
		}
		key := keyed[i].Keys[0].Name
		said, all := o.alike(keyed[:i+1], o.Manifest.Tree), o.alike(keyed[:i+1], rejected)
		switch n := slices.Index(all, p[i].Index); {
		case n > 0 && n < len(said): // not the first with the key
			keyed[i] = fieldpath.Step{Index: said[n], IsIndex: true}
		case said == nil && !o.Has(append(keyed[:i:i], p[i]).Child(key), o.Manifest.Tree): // the server has filled in the key
			keyed[i] = p[i]
		}
	}
	return keyed
}

// alike are the places of the items of a list that have the key in the last step of a path.
func (o *Outcome) alike(p fieldpath.Path, in tree.Object) (at []int) {
	list, _ := o.Find(p[:len(p)-1], in)
	key := p[len(p)-1].Keys[0]
	for i, item := range tree.List(list) {
		if tree.Equal(tree.Map(item)[key.Name], key.Value) {
			at = append(at, i)
		}
	}
	return at
}

// spelled is the field that the server means: it names one of a CSIDriver wrongly, and a
// few of volumes and claims without their spec.
func (o *Outcome) spelled(p fieldpath.Path) fieldpath.Path {
	t := schema.Lookup(o.Kind)
	spec, _ := t.Child("spec")
	switch first := p[0].Field; {
	case p.Equal(fieldpath.New("spec", "attachedRequired")):
		return fieldpath.New("spec", "attachRequired")
	case t != nil && !knows(t, first) && knows(spec, first):
		return fieldpath.New("spec").Join(p)
	}
	return p
}

// authored is the field that the manifest has where the server names one that
// it has filled in from that.
func authored(p fieldpath.Path, config tree.Object) fieldpath.Path {
	for _, alias := range []struct{ named, written fieldpath.Path }{
		{fieldpath.New("spec", "clusterIPs").Item(0), fieldpath.New("spec", "clusterIP")},
		{fieldpath.New("data"), fieldpath.New("stringData")},
	} {
		if !p.HasPrefix(alias.named) {
			continue
		}
		if _, has := p.Find(config); has {
			continue
		}
		written := alias.written.Join(p[len(alias.named):])
		if _, has := written.Find(config); has {
			return written
		}
	}
	return p
}

// Keyed writes a path into one of the object's trees so that it leads to the
// same place in the others: items of merging lists by their keys, since their
// numbers differ.
func (o *Outcome) Keyed(p fieldpath.Path, root tree.Object) fieldpath.Path {
	out := make(fieldpath.Path, 0, len(p))
	var f *schema.Field
	t, v := schema.Lookup(o.Kind), any(root)
	for i, s := range p {
		here := p[i : i+1]
		if name := strings.ToLower(s.Field[:min(1, len(s.Field))]) + s.Field[min(1, len(s.Field)):]; name != s.Field && knows(t, name) {
			s.Field = name // the server writes a few with a capital
			here = fieldpath.Path{s}
		}
		next, _ := o.Find(here, v)
		switch {
		case s.Keys != nil:
			out = append(out, fieldpath.Step{Keys: s.Keys})
			f, t = nil, elem(t)
		case !s.IsIndex:
			out = append(out, fieldpath.Step{Field: s.Field})
			t, f = t.Child(s.Field)
		case f != nil && f.Merge && f.MergeKey != "" && tree.Has(next, f.MergeKey):
			out = append(out, fieldpath.Step{Keys: []fieldpath.Key{{Name: f.MergeKey, Value: tree.Map(next)[f.MergeKey]}}})
			f, t = nil, elem(t)
		default:
			out = append(out, fieldpath.Step{Index: s.Index, IsIndex: true})
			f, t = nil, elem(t)
		}
		v = next
	}
	return out
}

func knows(t *schema.Type, name string) bool {
	return t != nil && t.Form == schema.Struct && t.Field(name) != nil
}

func elem(t *schema.Type) *schema.Type {
	if t == nil {
		return nil
	}
	return t.Elem
}
