package manifest

import (
	"slices"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/mask"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// cutAdvice says why a snapshot probably ends where its parser wants more.
func cutAdvice(words string) string {
	for _, end := range []string{"unexpected end of stream", "unexpected EOF", "unexpected end of JSON input"} {
		if strings.Contains(words, end) {
			return "; the file seems to be truncated: export it again"
		}
	}
	return ""
}

// exportAdvice is what to say of a document of a snapshot in place of kubectl's
// words where they quote all of it or name a type of its source.
func exportAdvice(bad *fault.Fault, value any, isList bool) fault.Text {
	switch {
	case bad.Code == fault.NoObject:
		return fault.Words("a document has the type %s, not object; %s", jsonType(value), exportAgain)
	case bad.Code != fault.MissingKind:
		return bad.Text
	case isList:
		return fault.Words("the list has no kind, which kubectl writes at the end: the file is truncated; export it again")
	}
	return fault.Words("a document has no kind, so it is not a live object")
}

// quoted is a document without a kind as kubectl quotes it, if it has nothing in
// it but names: nobody knows where another has its secrets.
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
