package edit

import (
	"fmt"
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// resolve replaces keys of list items in paths by indexes, drops duplicate
// edits, and returns an error for edits that conflict.
func resolve(root tree.Object, edits []Edit) ([]Edit, error) {
	var list []Edit
	var apart fieldpath.Apart
	var finder fieldpath.Finder
	for _, e := range edits {
		p, err := numbered(&finder, root, e.Path)
		if err != nil {
			return nil, err
		}
		e.Path = p
		n, is := apart.Add(e.Path)
		switch {
		case is:
			list = append(list, e)
		case !list[n].same(e):
			return nil, fmt.Errorf("another fix changes %s too", list[n].Path)
		}
	}
	return list, nil
}

func (e Edit) same(f Edit) bool {
	return e.op == f.op && e.name == f.name && e.Path.Equal(f.Path) && tree.Equal(e.value, f.value)
}

func numbered(finder *fieldpath.Finder, root any, p fieldpath.Path) (fieldpath.Path, error) {
	out := make(fieldpath.Path, 0, len(p))
	v := root
	for i, s := range p {
		if s.Keys == nil {
			out = append(out, s)
			v, _ = p[i : i+1].Find(v)
			continue
		}
		list, _ := v.([]any)
		at := finder.Match(s, list)
		if at < 0 {
			return nil, fmt.Errorf("%s does not exist", p)
		}
		out, v = append(out, fieldpath.Step{IsIndex: true, Index: at}), list[at]
	}
	return out, nil
}

// gone marks a removed list item until compact drops it.
type gone struct{}

// apply makes the edits in a copy of the object.
func apply(root tree.Object, edits []Edit) (tree.Object, error) {
	after := tree.CopyObject(root)
	for _, e := range edits {
		if len(e.Path) == 0 {
			return nil, fmt.Errorf("the whole object cannot be edited")
		}
		if err := e.apply(after); err != nil {
			return nil, err
		}
	}
	return compact(after).(tree.Object), nil
}

func (e Edit) apply(root tree.Object) error {
	parent, last := e.Path[:len(e.Path)-1], e.Path[len(e.Path)-1]
	v, ok := parent.Find(root)
	if e.op == set && !last.IsIndex {
		m, err := makeObject(root, parent)
		if err == nil {
			m[last.Field] = tree.Copy(e.value)
		}
		return err
	}
	if e.op == extend {
		return e.extend(root)
	}
	if list, isList := v.([]any); ok && isList && last.IsIndex && last.Index < len(list) {
		switch e.op {
		case remove:
			list[last.Index] = gone{}
			return nil
		case set:
			list[last.Index] = tree.Copy(e.value)
			return nil
		}
	}
	m, _ := v.(tree.Object)
	old, ok := m[last.Field]
	if !ok || last.IsIndex {
		return fmt.Errorf("%s does not exist", e.Path)
	}
	delete(m, last.Field)
	if e.op == rename {
		if _, taken := m[e.name]; taken {
			return fmt.Errorf("%s already exists", parent.Child(e.name))
		}
		m[e.name] = old
	}
	return nil
}

// extend appends the value to a list.
func (e Edit) extend(root tree.Object) error {
	v, _ := e.Path.Find(root)
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return fmt.Errorf("%s is not a list with items", e.Path)
	}
	list = append(list, tree.Copy(e.value)) // root is a copy already
	parent, last := e.Path[:len(e.Path)-1], e.Path[len(e.Path)-1]
	switch in, _ := parent.Find(root); in := in.(type) {
	case tree.Object:
		in[last.Field] = list
	case []any:
		in[last.Index] = list
	}
	return nil
}

// makeObject returns the object at the path, made where it is missing or null.
func makeObject(root tree.Object, p fieldpath.Path) (tree.Object, error) {
	m := root
	for i, s := range p {
		next, there := p[:i+1].Find(root)
		if next == nil && !s.IsIndex && (there || m != nil) {
			next = tree.Object{}
			m[s.Field] = next
		}
		obj, isObject := next.(tree.Object)
		if _, isList := next.([]any); !isObject && !isList {
			return nil, fmt.Errorf("%s is not an object", p[:i+1])
		}
		m = obj
	}
	if m == nil {
		return nil, fmt.Errorf("%s is not an object", p)
	}
	return m, nil
}

// compact drops the list items marked as gone.
func compact(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = compact(x)
		}
	case []any:
		kept := slices.DeleteFunc(v, func(x any) bool { return x == any(gone{}) })
		for i := range kept {
			kept[i] = compact(kept[i])
		}
		return kept
	}
	return v
}
