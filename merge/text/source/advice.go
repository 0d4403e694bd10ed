package source

import (
	"regexp"
	"strconv"
	"strings"

	"threeway/merge/mask"
)

// message is how a line of Helm or of klog begins that is on stderr, where a file was made with 2>&1.
var message = regexp.MustCompile(`^\s*((?i:warning|error): |[WE][0-9]{4} [0-9:.]+ |(walk|coalesce)\.go:[0-9]+: )`)

// parseAdvice returns advice about a file that cannot be parsed: what it
// probably is, or what to look for at the place of the parser's error.
func parseAdvice(text string, at int, words string) string {
	switch {
	case strings.ContainsRune(text, 0):
		return "; it looks like a binary file"
	case strings.Contains(text, "{{"):
		return "; it looks like a Go or Helm template: render it first (helm template) and pass the result"
	case message.MatchString(text):
		return "; it begins with a message of the program that made it, which is not YAML: make it again without 2>&1, or delete these lines"
	case strings.Contains("\n"+text, "\n<<<<<<< "):
		return "; it has conflict markers of git: resolve the conflict"
	case strings.HasPrefix(text[at:], "\t"):
		return "; YAML is indented with spaces: replace the tab"
	case strings.Contains(words, "invalid character '/'"):
		return "; JSON has no comments: remove them"
	case strings.Contains(words, "did not find expected ','"):
		return "; close the bracket or brace that is open, or add the comma"
	case strings.Contains(words, "did not find expected key"), strings.Contains(words, "'-' indicator"), strings.Contains(words, "mapping values are not allowed"):
		return "; check the indentation, and quote values with a colon or a quotation mark"
	}
	return ""
}

// quotesAfter are the words in parser errors that are followed by a quotation
// from the text.
var quotesAfter = []string{"`", "anchor '", "separator: ", "invalid map key: ", ", key: ", "cannot unmarshal number "}

// withoutQuotes cuts a parser's error before a quotation from the text.
func withoutQuotes(words string) string {
	for _, before := range quotesAfter {
		if i := strings.Index(words, before); i >= 0 {
			words = words[:i+len(before)] + mask.Value
		}
	}
	return words
}

// yamlErrorOffset returns the offset of the YAML parser's error. The "line N"
// of the message is one too low for errors of grammar (go.yaml.in/yaml/v2
// parser.fail).
func yamlErrorOffset(text string, err error) int {
	_, after, ok := strings.Cut(err.Error(), "yaml: line ")
	number, words, _ := strings.Cut(after, ": ")
	n, convErr := strconv.Atoi(number)
	if !ok || convErr != nil {
		_, anchor, _ := strings.Cut(err.Error(), "unknown anchor '")
		anchor, _, unknown := strings.Cut(anchor, "'")
		if unknown {
			return max(strings.Index(text, "*"+anchor), 0)
		}
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
