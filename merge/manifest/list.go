package manifest

import (
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// flatten adds the items of a list. An item with neither kind nor apiVersion
// has the list's: a FooList holds Foos (unstructuredJSONScheme.decodeToList).
//
// kubectl 1.36 refuses a list inside a list (FlattenListVisitor hands
// meta.ExtractList an object that it does not take); a snapshot may have them.
func (r *reader) flatten(doc *source.Document, within fieldpath.Path, list tree.Object, items []any) {
	o := newObject(doc, within, list)
	r.lists = append(r.lists, o.Kind)
	if !r.live && !r.checkList(o, items) {
		return
	}
	for i, item := range items {
		obj := item.(tree.Object)
		if tree.String(obj, "kind") == "" && tree.String(obj, "apiVersion") == "" {
			obj["kind"], obj["apiVersion"] = strings.TrimSuffix(o.Kind.Kind, "List"), tree.String(list, "apiVersion")
		}
		member := newObject(doc, within.Child("items").Item(i), obj)
		if isNested(obj) {
			inner, words := decodeItems(obj["items"])
			if words != "" {
				r.problem(member.problem(Error, nil, "unable to decode %q: %s", doc.File, words))
				continue
			}
			r.flatten(doc, member.within, obj, inner)
			continue
		}
		if words := typeError(obj); words != "" {
			r.problem(member.problem(Error, nil, `unable to get type info from the object "*unstructured.Unstructured": %s`, words))
			continue
		}
		r.set.Objects = append(r.set.Objects, member)
	}
}

// checkList warns of a list that is one by its field alone, and reports
// whether kubectl takes the list.
func (r *reader) checkList(o *Object, items []any) bool {
	if !strings.HasSuffix(o.Kind.Kind, "List") {
		r.problem(o.problem(Warning, fieldpath.New("items"),
			`%s %q has a field "items", so kubectl takes it for a list: it applies what is in "items" (%d objects) and drops the rest; rename the field`,
			o.Kind.GroupKind(), o.Name, len(items)))
	}
	for i, item := range items {
		if isNested(item.(tree.Object)) {
			r.problem(o.problem(Error, fieldpath.New("items").Item(i),
				"*unstructured.Unstructured is not a list: no Items field in this object; kubectl takes no list inside a list: unpack the inner one"))
			return false
		}
	}
	return true
}

// isNested reports whether an item of a list is a list (Unstructured.IsList).
func isNested(obj tree.Object) bool {
	_, ok := obj["items"].([]any)
	return ok
}

// typeError says what keeps an item's kind from being known
// (unstructuredscheme ObjectKinds).
func typeError(obj tree.Object) string {
	switch kind := kindOf(obj); {
	case kind.Kind == "":
		return "Object 'Kind' is missing in 'object has no kind field '"
	case kind.Version == "":
		return "Object 'apiVersion' is missing in 'object has no apiVersion field'"
	}
	return ""
}
