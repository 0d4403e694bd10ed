package tree

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// JSON is a value as JSON, with HTML characters as they are. Of several lines each but the
// first begins with prefix, and with indent for each level; without both there is one.
func JSON(v any, prefix, indent string) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, indent)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// JSONType names the type of a value as encoding/json does in errors.
func JSONType(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case bool:
		return "bool"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}

// AppendJSON appends v as encoding/json writes it: compact, keys sorted, HTML
// characters escaped. It returns an error for a number that JSON cannot
// represent.
func AppendJSON(to []byte, v any) (_ []byte, err error) {
	switch v := v.(type) {
	case map[string]any:
		if v == nil {
			break
		}
		var room [16]string
		keys := room[:0]
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		to = append(to, '{')
		for i, k := range keys {
			if i > 0 {
				to = append(to, ',')
			}
			to = append(appendText(to, k), ':')
			if to, err = AppendJSON(to, v[k]); err != nil {
				return to, err
			}
		}
		return append(to, '}'), nil
	case []any:
		if v == nil {
			break
		}
		to = append(to, '[')
		for i, x := range v {
			if i > 0 {
				to = append(to, ',')
			}
			if to, err = AppendJSON(to, x); err != nil {
				return to, err
			}
		}
		return append(to, ']'), nil
	case string:
		return appendText(to, v), nil
	case int64:
		return strconv.AppendInt(to, v, 10), nil
	case bool:
		return strconv.AppendBool(to, v), nil
	}
	text, err := json.Marshal(v)
	return append(to, text...), err
}

// escapes are how encoding/json writes the characters that most texts have.
var escapes = [utf8.RuneSelf]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\t': `\t`, '<': `\u003c`, '>': `\u003e`, '&': `\u0026`}

// appendText appends a string. It uses encoding/json if any byte is neither printable
// ASCII nor in escapes.
func appendText(to []byte, s string) []byte {
	begin, done := len(to), 0
	to = append(to, '"')
	for i := range len(s) {
		c := s[i]
		if c < utf8.RuneSelf && escapes[c] != "" {
			to = append(append(to, s[done:i]...), escapes[c]...)
			done = i + 1
		} else if c < ' ' || c >= 0x7f {
			text, _ := json.Marshal(s) // a string never fails
			return append(to[:begin], text...)
		}
	}
	return append(append(to, s[done:]...), '"')
}

// Decoded reports whether a value is what decoding gives of what AppendJSON writes of it: it
// has no numbers with a fraction or an exponent, which a decoder may make integers, no text
// that is not UTF-8, and nothing that JSON has not.
func Decoded(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if !utf8.ValidString(k) || !Decoded(x) {
				return false
			}
		}
		return v != nil
	case []any:
		return v != nil && !slices.ContainsFunc(v, func(x any) bool { return !Decoded(x) })
	case string:
		return utf8.ValidString(v)
	case int64, bool, nil:
		return true
	}
	return false
}
