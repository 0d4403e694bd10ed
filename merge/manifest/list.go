package manifest

import (
	"maps"
	"slices"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// flatten adds the items of a list. An item with neither kind nor apiVersion
// has the list's: a FooList holds Foos (unstructuredJSONScheme.decodeToList).
//
// kubectl 1.36 rejects a list inside a list (FlattenListVisitor passes
// meta.ExtractList an object that it does not accept); a snapshot may have
// them.
func (r *reader) flatten(doc *source.Document, within fieldpath.Path, list tree.Object, items []any) {
	o := newObject(doc, within, list)
	if r.lists = append(r.lists, o.Kind); len(within) == 0 {
		r.set.Lists = append(r.set.Lists, o)
	}
	if !r.live && !r.checkList(o, items) {
		return
	}
	if r.live && tree.String(list, "metadata", "continue") != "" {
		r.problem(o.problem(Warning, fieldpath.New("metadata", "continue"),
			"the list has only a part of the objects, as the server answers with a limit; add the other parts, or export again without limit"))
	}
	for i, item := range items {
		obj := item.(tree.Object)
		if tree.String(obj, "kind") == "" && tree.String(obj, "apiVersion") == "" {
			obj["kind"], obj["apiVersion"] = strings.TrimSuffix(o.Kind.Kind, "List"), tree.String(list, "apiVersion")
		}
		if sops := list["sops"]; tree.Has(sops, "mac") && obj["sops"] == nil {
			obj = maps.Clone(obj) // the list is validated without it
			obj["sops"] = sops
		}
		member := newObject(doc, within.Child("items").Item(i), obj)
		if isNested(obj) {
			inner, bad := decodeItems(obj["items"])
			if bad != nil {
				r.problem(member.refuse(*bad, undecodable, doc.File))
				continue
			}
			r.flatten(doc, member.within, obj, inner)
			continue
		}
		if words := typeError(obj); words != "" {
			text := fault.Words(`unable to get type info from the object "*unstructured.Unstructured": %s`, words)
			r.problem(member.refuse(fault.Fault{Code: fault.Invalid, Text: text}, ""))
			continue
		}
		r.add(member)
	}
}

// checkList warns of an object that is a list only because it has a field
// "items", and reports whether kubectl accepts the list.
func (r *reader) checkList(o *Object, items []any) bool {
	if !strings.HasSuffix(o.Kind.Kind, "List") {
		r.problem(o.problem(Warning, fieldpath.New("items"),
			`%s %q has a field "items", so kubectl treats it as a list: it applies the objects in "items" (%d) and drops the rest; rename the field`,
			o.Kind.GroupKind(), o.Name, len(items)))
	}
	for i, item := range items {
		if isNested(item.(tree.Object)) {
			r.problem(o.refuse(*badValue(fieldpath.New("items").Item(i),
				"*unstructured.Unstructured is not a list: no Items field in this object; kubectl takes no list inside a list: unpack the inner one"), ""))
			return false
		}
	}
	return true
}

// unpatched are the kinds in the OpenAPI document that do not support PATCH.
// kubectl validates them itself, as it does with lists.
var unpatched = []string{
	"APIGroup", "APIVersions", "Binding", "ComponentStatus", "DeleteOptions", "LocalSubjectAccessReview", "SelfSubjectAccessReview",
	"SelfSubjectReview", "SelfSubjectRulesReview", "Status", "SubjectAccessReview", "TokenReview", "WatchEvent",
}

func isChecked(kind string) bool {
	return strings.HasSuffix(kind, "List") || slices.Contains(unpatched, kind)
}

// Refuse records that kubectl rejects a document of Checked because of faults,
// in the words of its validation. None of its objects is applied. kubectl stops
// reading there, so later documents of the file are not applied either
// (cli-runtime pkg/resource/visitor.go StreamVisitor).
func (s *Set) Refuse(document *Object, faults []fault.Fault) {
	s.drop(document, func(o *Object) bool { return o.Origin.Document >= document.Origin.Document })
	s.Problems = slices.DeleteFunc(s.Problems, func(p Problem) bool {
		return p.Object == nil && p.Severity == Error && p.File == document.Origin.File
	})
	var words []string
	for _, f := range faults {
		words = append(words, f.Text.String())
	}
	text := fault.Words("error validating %q: error validating data: %s; %s", document.Origin.File, aggregate(words), validationOff)
	s.Problems = append(s.Problems, document.refuse(fault.Fault{Code: fault.Invalid, Path: faults[0].Path, Text: text}, ""))
}

// isNested reports whether an item of a list is a list (Unstructured.IsList).
func isNested(obj tree.Object) bool {
	_, ok := obj["items"].([]any)
	return ok
}

// typeError returns why the kind of an item is unknown, or ""
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
