package mask

import (
	"encoding/base64"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"threeway/merge/tree"
)

// TokenPrefix begins every token.
const TokenPrefix = "redacted-"

var tokens = regexp.MustCompile(`^(?:\{"redacted":")?(` + TokenPrefix + `[0-9a-f]{8}-[0-9a-f]{32})(?:"\})?$`)

// Token returns the token in a value of a redacted snapshot, redacted-KEY-HASH,
// bare or in a JSON object; "" if value is not a token. Package redact makes
// tokens.
func Token(value string) string {
	if !strings.Contains(value, TokenPrefix) {
		return ""
	}
	if m := tokens.FindStringSubmatch(value); m != nil {
		return m[1]
	}
	return ""
}

var copied = regexp.MustCompile(`\b` + TokenPrefix + `[0-9a-f]{8}-[0-9a-f]{32}\b`)

// Tokens returns the tokens inside a text, in order.
func Tokens(text string) []string {
	if !strings.Contains(text, TokenPrefix) {
		return nil
	}
	return copied.FindAllString(text, -1)
}

// lengthKey is the key of a LengthToken, which no key makes.
const lengthKey = "00000000-"

// LengthToken is the token of a value of which only the length is known.
func LengthToken(length int) string {
	return fmt.Sprintf("%s%s%032x", TokenPrefix, lengthKey, length)
}

// KnownLength returns the length of the value behind a LengthToken.
func KnownLength(token string) (length int, ok bool) {
	digits, ok := strings.CutPrefix(token, TokenPrefix+lengthKey)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimLeft(digits, "0"), 16, 31)
	return int(n), err == nil || strings.Trim(digits, "0") == ""
}

// Redacted returns how many values of an object are tokens, and the keys that
// made them; no key if only the lengths of the values are known.
func Redacted(o tree.Object) (values int, keys []string) {
	seen := map[string]bool{}
	EachPlain(o, func(text string) {
		token := Token(text)
		if token == "" {
			return
		}
		values++
		if _, length := KnownLength(token); !length {
			seen[token[len(TokenPrefix):len(TokenPrefix)+8]] = true
		}
	})
	return values, slices.Sorted(maps.Keys(seen))
}

// EachPlain calls f with all texts in a value, those of a Secret's data as what they are
// base64 of, if they are.
func EachPlain(v any, f func(string)) {
	switch v := v.(type) {
	case string:
		f(v)
	case []any:
		for _, x := range v {
			EachPlain(x, f)
		}
	case tree.Object:
		secret := IsSecret(v)
		for key, x := range v {
			if data, ok := x.(tree.Object); secret && key == "data" && ok {
				for _, value := range data {
					f(decoded(Text(value)))
				}
				continue
			}
			EachPlain(x, f)
		}
	}
}

// IsRedacted reports whether a value of a Secret's data, in base64, is a token.
func IsRedacted(value any) bool {
	text, _ := value.(string)
	plain, err := base64.StdEncoding.DecodeString(text)
	return err == nil && Token(string(plain)) != "" || Token(text) != ""
}
