package serverside

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"threeway/merge/tree"
)

// typedByEachKey is typedAs for servers that need each merge key of an item: they do not
// read a list beyond one that omits a key (structured-merge-diff v4
// typed/validate.go visitListItems).
func typedByEachKey(t Type, obj tree.Object, opts ...typed.ValidationOptions) (*typed.TypedValue, error) {
	w := keyWalk{schema: t.Schema}
	read, _ := w.value(t.TypeRef, obj, nil).(tree.Object)
	if len(w.errs) == 0 {
		return typedAs(t, obj, opts...)
	}
	var others typed.ValidationErrors
	if _, err := typedAs(t, read, opts...); err != nil && !errors.As(err, &others) {
		return nil, err
	}
	return nil, append(others, w.errs...)
}

// keyWalk finds the items that omit a merge key without a default.
type keyWalk struct {
	schema *smd.Schema
	errs   typed.ValidationErrors
}

// value is what is read of a value: of a list, the items before the first without a
// key.
func (w *keyWalk) value(ref smd.TypeRef, v any, path fieldpath.Path) any {
	atom, known := w.schema.Resolve(ref)
	if !known {
		return v
	}
	switch v := v.(type) {
	case tree.Object:
		if atom.Map != nil {
			return w.fields(atom.Map, v, path)
		}
	case []any:
		if atom.List != nil {
			return w.items(atom.List, v, path)
		}
	}
	return v
}

// fields reads those before the first that is not declared.
func (w *keyWalk) fields(m *smd.Map, obj tree.Object, path fieldpath.Path) tree.Object {
	read := maps.Clone(obj)
	for _, key := range tree.Keys(obj) {
		elem := m.ElementType
		if f, declared := m.FindField(key); declared {
			elem = f.Type
		} else if elem == (smd.TypeRef{}) {
			break
		}
		read[key] = w.value(elem, obj[key], append(slices.Clip(path), fieldpath.PathElement{FieldName: &key}))
	}
	return read
}

func (w *keyWalk) items(list *smd.List, items []any, path fieldpath.Path) (read []any) {
	for i, item := range items {
		at := fieldpath.PathElement{Index: &i}
		if list.ElementRelationship == smd.Associative && len(list.Keys) > 0 {
			if tree.Map(item) == nil {
				return append(read, items[i:]...) // typed names it
			}
			key, missing := w.key(list, item)
			if missing != "" {
				w.errs = append(w.errs, typed.ValidationError{Path: path.String(), ErrorMessage: fmt.Sprintf(
					"element %d: associative list with keys has an element that omits key field %q (and doesn't have default value)", i, missing)})
				return read
			}
			at = fieldpath.PathElement{Key: &key}
		}
		read = append(read, w.value(list.ElementType, item, append(slices.Clip(path), at)))
	}
	return read
}

// key is what names an item, or else the first field that is missing for it.
func (w *keyWalk) key(list *smd.List, item any) (key value.FieldList, missing string) {
	elem, _ := w.schema.Resolve(list.ElementType)
	for _, name := range list.Keys {
		v, set := tree.Get(item, name)
		if !set && elem.Map != nil {
			f, _ := elem.Map.FindField(name)
			v = f.Default
		}
		if !set && v == nil {
			return nil, name
		}
		key = append(key, value.Field{Name: name, Value: value.NewValueInterface(v)})
	}
	key.Sort()
	return key, ""
}
