package manifest

import (
	"slices"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/kube/schema"
	"threeway/merge/mask"
	"threeway/merge/text/phrase"
	"threeway/merge/text/shell"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// cutAdvice returns advice for a snapshot that ends before its parser is done:
// the file is probably truncated.
func cutAdvice(words string) string {
	for _, end := range []string{"unexpected end of stream", "unexpected EOF", "unexpected end of JSON input", "not a valid zip file"} {
		if strings.Contains(words, end) {
			return "; the file seems to be truncated: export it again"
		}
	}
	return ""
}

// exportAdvice words the fault of a bad document for a snapshot, if kubectl's
// message quotes the whole document or names a Go type of kubectl.
func exportAdvice(bad *fault.Fault, doc *source.Document, value any, isList bool) {
	switch {
	case bad.Code == fault.NoObject:
		bad.Text = fault.Words("a document has the type %s, not object; %s", tree.JSONType(value), exportAgain)
	case bad.Code != fault.MissingKind:
	case isList && doc.IsJSON:
		bad.Code = fault.Untyped
		bad.Text = fault.Words("the list has no kind, so the kinds of its objects are unknown; %s", exportAgain)
	case isList:
		bad.Code = fault.Truncated
		bad.Text = fault.Words("the list has no kind, which kubectl writes at the end: the file is truncated; export it again")
	default:
		bad.Text = fault.Words("a document has no kind, so it is not a live object; %s", exportAgain)
	}
}

// kindAdvice returns advice about a document that kubectl rejects because it has no kind or
// no apiVersion.
func kindAdvice(value any) string {
	obj, is := value.(tree.Object)
	if !is {
		return "; this is text or a list, and a manifest has apiVersion and kind: check which file was meant"
	}
	if len(obj) == 2 && obj["Pulled"] != nil && obj["Digest"] != nil { // helm.sh/helm/v4/pkg/registry
		return "; Helm says this when it fetches a chart: remove it, kubectl reads nothing after it"
	}
	for _, field := range []string{"apiVersion", "kind"} {
		if near := phrase.Nearest(field, tree.Keys(obj)); near != "" && !tree.Has(obj, field) {
			return "; " + near + " is written " + field
		}
	}
	if !tree.Has(obj, "apiVersion") && !tree.Has(obj, "kind") {
		return "; this is no manifest, but perhaps values for a template, or a file of another program"
	}
	return ""
}

// quoted returns a document without a kind as kubectl quotes it, if it contains
// nothing but names. Any other document may contain secrets and is not quoted.
func quoted(doc *source.Document, obj tree.Object) string {
	only := func(o tree.Object, names ...string) bool {
		for key := range o {
			if !slices.Contains(names, key) {
				return false
			}
		}
		return true
	}
	if only(obj, "apiVersion", "kind", "metadata") && only(tree.Map(obj, "metadata"), "name", "namespace", "labels") {
		return doc.JSON(obj)
	}
	return mask.Value
}

// ExportManagers is the command that exports the kinds of objects with their owners, which plain
// `kubectl get -o yaml` leaves out.
func ExportManagers(of ...Identity) string {
	var kinds []string
	for _, id := range of {
		kind := strings.ToLower(id.Kind)
		if !schema.BuiltinGroup(id.Group) {
			kind += "." + id.Group
		}
		kinds = append(kinds, kind)
	}
	return shell.Line("kubectl get", shell.Operand(strings.Join(phrase.Distinct(kinds), ",")), shell.Option("-A --show-managed-fields -o yaml"))
}
