package source

import (
	"strconv"
	"strings"

	"threeway/merge/mask"
)

// parseAdvice says what a file that does not parse probably is.
func parseAdvice(text string) string {
	switch {
	case strings.ContainsRune(text, 0):
		return "; it looks like a binary file"
	case strings.Contains(text, "{{"):
		return "; it looks like a Go or Helm template: render it first (helm template) and pass the result"
	}
	return ""
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
