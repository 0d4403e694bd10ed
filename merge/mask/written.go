package mask

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"threeway/merge/text/markdown"
)

// Form is a way to write a secret value.
type Form struct {
	// Value is the value, of which Base64 tells that the text is an encoding.
	Value  string
	Base64 *base64.Encoding
	// Where names the place of the value.
	Where string
	// inside is set of what is found inside longer words, too.
	inside bool
}

// written calls form with each way to write a value, or the beginning of one.
func (f Form) written(value string, form func(text string, encoding *base64.Encoding)) {
	texts := []string{value}
	if strings.ContainsFunc(value, func(c rune) bool { return c >= utf8.RuneSelf || !isWordByte(byte(c)) }) {
		texts = append(texts, string(markdown.Escape(value)))
	}
	if !plain(value) {
		texts = append(texts, inJSON(value), unescapedHTML(inJSON(value)), html.EscapeString(value), string(markdown.HTML(value)), strings.ReplaceAll(value, "'", "''"))
		if !strings.Contains(f.Value, "\n") {
			escaped := strings.ReplaceAll(url.QueryEscape(value), "+", "%20")
			texts = append(texts, url.QueryEscape(value), url.PathEscape(value), escaped, strings.ReplaceAll(escaped, "%2F", "/"))
		}
	}
	for i, text := range texts {
		if slices.Contains(texts[:i], text) {
			continue
		}
		form(text, nil)
		if quoted := inJSON(text); quoted != text && (text == value || !strings.Contains(f.Value, "\n")) {
			form(quoted, nil)
			form(unescapedHTML(quoted), nil)
		}
	}
	if f.inside && len(f.Value) <= longestInside {
		for shift := range 3 { // as in base64 of user:password
			text := base64.RawStdEncoding.EncodeToString([]byte("xx"[:shift] + value))
			form(text[[]int{0, 2, 3}[shift]:len(text)-1], nil)
		}
	}
	form(hex.EncodeToString([]byte(value)), nil)
	form(strings.ToUpper(hex.EncodeToString([]byte(value))), nil)
	encoded := base64.StdEncoding.EncodeToString([]byte(value))
	form(encoded, base64.StdEncoding)
	if raw := strings.TrimRight(encoded, "="); raw != encoded {
		form(raw, base64.RawStdEncoding)
	}
	if strings.ContainsAny(encoded, "+/") {
		encoded = base64.URLEncoding.EncodeToString([]byte(value))
		form(encoded, base64.URLEncoding)
		if raw := strings.TrimRight(encoded, "="); raw != encoded {
			form(raw, base64.RawURLEncoding)
		}
	}
}

// beginning is as much of the value as tells how each of its forms begins. Only after [ and
// : what follows later makes a difference (package markdown).
func (f Form) beginning() string {
	if len(f.Value) <= enough || strings.ContainsAny(f.Value[:shortest], "[:") {
		return f.Value
	}
	return f.Value[:enough]
}

// enough characters of a value tell how it begins.
const enough = 12

// longestInside is the length up to which a value is searched for in base64 of more.
const longestInside = 128

// inJSON is a text as it is between the quotes of JSON.
func inJSON(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted[1 : len(quoted)-1])
}

// unescapedHTML is JSON as encoders write it that do not mind HTML, whose characters Go
// escapes in every text. Three passes take less than a replacer, which copies all.
func unescapedHTML(text string) string {
	text = strings.ReplaceAll(text, `\u003c`, "<")
	text = strings.ReplaceAll(text, `\u003e`, ">")
	return strings.ReplaceAll(text, `\u0026`, "&")
}

// plain reports whether a value is the same in JSON and in a URL.
func plain(value string) bool {
	for i := range len(value) {
		if c := value[i]; !isWordByte(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}
