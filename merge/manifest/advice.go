package manifest

import (
	"slices"
	"strconv"
	"strings"

	"threeway/merge/mask"
	"threeway/merge/tree"
)

// parseAdvice says what a file that does not parse probably is.
func parseAdvice(text string) string {
	switch {
	case strings.ContainsRune(text, 0):
		return "; it looks like a binary file"
	case strings.Contains(text, "{{"):
		return "; it looks like a Go or Helm template: render it first (helm template) and read the result"
	}
	return ""
}

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
// words, which quote all of it.
func withoutSecrets(words string, isList bool) string {
	switch {
	case !strings.HasPrefix(words, missingKind):
		return words
	case isList:
		return "the list has no kind, which kubectl writes at its end: the file was cut short; export it again"
	}
	return "a document has no kind, so it is no live object"
}

// quotesAfter are what parsers put before a piece of the text.
var quotesAfter = []string{"`", "anchor '", "separator: ", "invalid map key: ", ", key: ", "cannot unmarshal number "}

// withoutQuotes cuts a parser's words where they quote the text.
func withoutQuotes(words string) string {
	for _, before := range quotesAfter {
		if i := strings.Index(words, before); i >= 0 {
			words = words[:i+len(before)] + mask.Value
		}
	}
	return words
}

// quoted is a document without a kind as kubectl quotes it, if it has nothing in
// it but names: nobody knows where another has its secrets.
func quoted(doc *document, obj tree.Object) string {
	only := func(o tree.Object, names ...string) bool {
		for key := range o {
			if !slices.Contains(names, key) {
				return false
			}
		}
		return true
	}
	if only(obj, "apiVersion", "kind", "metadata") && only(tree.Map(obj, "metadata"), "name", "namespace", "labels") {
		return doc.json(obj)
	}
	return mask.Value
}

// yamlErrorOffset is where in the text the YAML parser's error is. The "line
// N" of the message is one too low where the grammar is at fault rather than a
// token (go.yaml.in/yaml/v2 parser.fail).
func yamlErrorOffset(text string, err error) int {
	_, after, ok := strings.Cut(err.Error(), "yaml: line ")
	number, words, _ := strings.Cut(after, ": ")
	n, convErr := strconv.Atoi(number)
	if !ok || convErr != nil {
		return max(strings.IndexByte(text, 0), 0)
	}
	if strings.HasPrefix(words, "did not find expected ") {
		n++
	}
	offset := 0
	for ; n > 1; n-- {
		next := strings.IndexByte(text[offset:], '\n')
		if next < 0 || offset+next+1 == len(text) {
			break
		}
		offset += next + 1
	}
	return offset + len(text[offset:]) - len(strings.TrimLeft(text[offset:], " "))
}
