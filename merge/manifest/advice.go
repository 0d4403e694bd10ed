package manifest

import (
	"slices"
	"strings"

	"threeway/merge/mask"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// cutAdvice says why a snapshot probably ends where its parser wants more.
func cutAdvice(words string) string {
	for _, end := range []string{"unexpected end of stream", "unexpected EOF", "unexpected end of JSON input"} {
		if strings.Contains(words, end) {
			return "; the file seems to have been cut short: export it again"
		}
	}
	return ""
}

// withoutSecrets is what to say of a snapshot's document in place of kubectl's
// words, which quote all of it or name a type of its source.
func withoutSecrets(words string, isList bool) string {
	switch {
	case strings.HasSuffix(words, ofDetector):
		kind := strings.TrimSuffix(strings.TrimPrefix(words, "json: cannot unmarshal "), ofDetector)
		return "a document has the type " + kind + ", not object; " + exportAgain
	case !strings.HasPrefix(words, missingKind):
		return words
	case isList:
		return "the list has no kind, which kubectl writes at its end: the file was cut short; export it again"
	}
	return "a document has no kind, so it is no live object"
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
