package manifest

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/text/shell"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// sealed begins a value that SOPS has encrypted.
const sealed = "ENC[AES256_GCM,"

// sealedOther reports whether a document is a file of SOPS that is no manifest
// (github.com/getsops/sops stores: dotenv, binary).
func sealedOther(value any) bool {
	if text, ok := value.(string); ok {
		return strings.Contains(text, "="+sealed)
	}
	return !tree.Has(value, "kind") && !tree.Has(value, "apiVersion") && strings.HasPrefix(tree.String(value, "sops", "mac"), sealed)
}

// Sealed reports whether SOPS has encrypted which object it is, or a whole file of another
// format as one value.
func (o *Object) Sealed() bool {
	if len(o.Tree) == 2 && tree.Has(o.Tree, "sops") && strings.HasPrefix(tree.String(o.Tree, "data"), sealed) {
		return true
	}
	return slices.ContainsFunc([]string{tree.String(o.Tree, "apiVersion"), o.Kind.Kind, o.Name}, func(text string) bool { return strings.HasPrefix(text, sealed) })
}

// document reads the objects of one decoded document, and reports whether
// kubectl continues with the file.
func (r *reader) document(doc *source.Document, value any) bool {
	r.warnDuplicates(doc)
	if !r.live && strings.HasPrefix(tree.String(value, "apiVersion"), sealed) {
		text := fault.Words("SOPS has encrypted the apiVersion, so that the object is unknown; pass --sops, or rehearse what '%s' prints, with -f -, or encrypt with --encrypted-regex '^(data|stringData)$'", shell.Line("sops decrypt", shell.Path(doc.File)))
		r.reject(doc, value, fault.Fault{Code: fault.Invalid, Text: text}, "")
		return false
	}
	if !r.live && sealedOther(value) {
		text := fault.Words("%s is encrypted with SOPS and has no manifest, as a dotenv file, a values file or a binary one; leave it out of -f", doc.File)
		r.reject(doc, value, fault.Fault{Code: fault.Invalid, Text: text}, "")
		return false
	}
	if !r.live {
		words := ""
		if !r.unvalidated {
			words = validate(doc, value)
		}
		if o := newObject(doc, nil, tree.Map(value)); isChecked(o.Kind.Kind) && doc.NumberErr == nil {
			r.set.Checked = append(r.set.Checked, o)
		}
		if words != "" {
			text := fault.Words("error validating %q: error validating data: %s; %s%s", doc.File, words, validationOff, kindAdvice(value))
			r.reject(doc, value, fault.Fault{Code: fault.Invalid, Text: text}, "")
			return false
		}
	}
	if r.live {
		giveKind(doc.File, value)
	}
	items, isList, bad := decodeObject(doc, value)
	if bad != nil {
		if r.live {
			exportAdvice(bad, doc, value, isList)
		}
		r.reject(doc, value, *bad, undecodable, doc.File)
		return true
	}
	obj := value.(tree.Object)
	o := newObject(doc, nil, obj)
	switch words, at := metadataError(obj); {
	case words != "":
		r.problem(o.refuse(*badValue(at, "%s", words), undecodable, doc.File))
	case isList:
		r.flatten(doc, nil, obj, items)
	default:
		r.add(o)
	}
	return true
}

// add adds an object. Only what SOPS notes of a list is in the trees of several.
func (r *reader) add(o *Object) {
	if o.Tree["sops"] == nil {
		tree.Pooled(o.Tree)
	}
	r.set.Objects = append(r.set.Objects, o)
}

// undecodable is how kubectl wraps its message about a document of a file.
const undecodable = "unable to decode %q: %s"

// reject records an Error about a document, which need not be an object; see
// Object.refuse.
func (r *reader) reject(doc *source.Document, value any, f fault.Fault, format string, args ...any) {
	obj, ok := value.(tree.Object)
	p := newObject(doc, nil, obj).refuse(f, format, args...)
	if !ok {
		p.Object = nil
	}
	r.problem(p)
}

func newObject(doc *source.Document, within fieldpath.Path, obj tree.Object) *Object {
	return &Object{
		Kind:      kindOf(obj),
		Namespace: tree.String(obj, "metadata", "namespace"),
		Name:      tree.String(obj, "metadata", "name"),
		Tree:      obj,
		Origin:    doc.Origin(),
		doc:       held{doc}, within: within,
	}
}

// warnDuplicates warns of duplicate keys in a mapping. kubectl uses the last
// one without a message, and the server never sees the others.
func (r *reader) warnDuplicates(doc *source.Document) {
	for i, d := range doc.Duplicates {
		first, _ := doc.Position(d.First)
		line, column := doc.Position(d.Second)
		where := fmt.Sprintf("on line %d and line %d", first, line)
		if first == line {
			where = fmt.Sprintf("on line %d", line)
		}
		text := fmt.Sprintf("key %q is set twice, %s; only the last one is applied: remove the other", d.Key, where)
		if i == source.MaxDuplicates-1 {
			text += "; there may be more duplicates"
		}
		r.problem(Problem{Severity: Warning, File: doc.File, Line: line, Column: column, Text: text})
	}
}

// typedLists are files with a list that names no kind
// (github.com/replicatedhq/troubleshoot pkg/collect/cluster_resources.go crdsV1).
var typedLists = []struct {
	file string
	list schema.Kind
}{
	{"/cluster-resources/custom-resource-definitions.json", schema.Kind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinitionList"}},
}

// typedList returns the kind of the list in a file, by its name; nil if unknown.
func typedList(file string) *schema.Kind {
	for i := range typedLists {
		if strings.HasSuffix(strings.ReplaceAll("/"+file, "\\", "/"), typedLists[i].file) {
			return &typedLists[i].list
		}
	}
	return nil
}

// giveKind sets the kind of a list that names none, if its file tells it.
func giveKind(file string, document any) {
	list, ok := document.(tree.Object)
	if !ok || tree.Has(list, "kind") || !isNested(list) {
		return
	}
	if kind := typedList(file); kind != nil {
		list["apiVersion"], list["kind"] = kind.APIVersion(), kind.Kind
	}
}

const validationOff = "if you choose to ignore these errors, turn validation off with --validate=false"

// validate returns kubectl's error for a document whose kind is unknown, or ""
// (k8s.io/kubectl/pkg/validation validateList).
func validate(doc *source.Document, value any) string {
	if doc.NumberErr != nil {
		return doc.NumberErr.Error()
	}
	errs := schema.KindErrors(value)
	obj, _ := value.(tree.Object)
	if errs == nil && obj["apiVersion"] == "v1" && obj["kind"] == "List" {
		items, ok := obj["items"].([]any)
		if !ok {
			return schema.KindErrors(nil)[0] // kubectl: the list itself is no object to it
		}
		for _, item := range items {
			errs = append(errs, schema.KindErrors(item)...)
		}
	}
	return aggregate(errs)
}

// aggregate joins messages as utilerrors.Aggregate prints them: each once.
func aggregate(errs []string) string {
	var list []string
	said := map[string]bool{}
	for _, e := range errs {
		if !said[e] {
			list, said[e] = append(list, e), true
		}
	}
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// decodeObject checks what kubectl checks when it decodes a document
// (unstructuredJSONScheme.Decode), and returns what is wrong, in its words, or
// nil. Any object with a field "items" is a list; its items are returned.
func decodeObject(doc *source.Document, value any) (items []any, isList bool, bad *fault.Fault) {
	obj, ok := value.(tree.Object)
	if !ok {
		bad = badValue(nil, "json: cannot unmarshal %s into Go value of type unstructured.detector", tree.JSONType(value))
		bad.Code = fault.NoObject
		return nil, false, bad
	}
	if doc.NumberErr != nil {
		return nil, false, badValue(nil, "%s", doc.NumberErr)
	}
	raw, isList := obj["items"]
	if isList {
		if items, bad = decodeItems(raw); bad != nil {
			return nil, true, bad
		}
	}
	if kindOf(obj).Kind == "" {
		bad = badValue(nil, "Object 'Kind' is missing in '%s'", quoted(doc, obj))
		bad.Code = fault.MissingKind
		return nil, isList, bad
	}
	return items, isList, nil
}

// badValue is the fault of a value, in kubectl's words.
func badValue(at fieldpath.Path, format string, args ...any) *fault.Fault {
	return &fault.Fault{Code: fault.BadValue, Path: at, Text: fault.Words(format, args...)}
}

// decodeItems returns the items of a list, in a slice of its own; null is an object without
// fields.
func decodeItems(raw any) (items []any, bad *fault.Fault) {
	items, ok := raw.([]any)
	if !ok && raw != nil {
		return nil, badValue(fieldpath.New("items"), "json: cannot unmarshal %s into Go struct field decodeList.items of type []json.RawMessage", tree.JSONType(raw))
	}
	items = slices.Clone(items)
	for i, item := range items {
		switch item.(type) {
		case nil:
			items[i] = tree.Object{}
		case tree.Object:
		default:
			return nil, badValue(fieldpath.New("items").Item(i), "json: cannot unmarshal %s into Go value of type map[string]interface {}", tree.JSONType(item))
		}
	}
	return items, nil
}

// kindOf returns the object's kind as kubectl sees it; it is empty if the
// apiVersion is malformed.
func kindOf(obj tree.Object) schema.Kind {
	version := tree.String(obj, "apiVersion")
	if !schema.ValidAPIVersion(version) {
		return schema.Kind{}
	}
	return schema.ParseKind(version, tree.String(obj, "kind"))
}
