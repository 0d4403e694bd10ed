// Package token has the tokens that stand in a redacted snapshot in place of the values
// of Secrets: redacted-KEY-HASH.
package token

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Prefix begins every token.
const Prefix = "redacted-"

var tokens = regexp.MustCompile(`^(?:\{"redacted":")?(` + Prefix + `[0-9a-f]{8}-[0-9a-f]{32})(?:"\})?$`)

// Find returns the token in a value of a redacted snapshot, redacted-KEY-HASH,
// bare or in a JSON object; "" if value is not a token. Package redact makes
// them.
func Find(value string) string {
	if !strings.Contains(value, Prefix) {
		return ""
	}
	if m := tokens.FindStringSubmatch(value); m != nil {
		return m[1]
	}
	return ""
}

var copied = regexp.MustCompile(`\b` + Prefix + `[0-9a-f]{8}-[0-9a-f]{32}\b`)

// All returns the tokens inside a text, in order.
func All(text string) []string {
	if !strings.Contains(text, Prefix) {
		return nil
	}
	return copied.FindAllString(text, -1)
}

// lengthKey stands in OfLength for the key: no key makes it.
const lengthKey = "00000000-"

// OfLength returns the token of a value of which only the length is known.
func OfLength(length int) string {
	return fmt.Sprintf("%s%s%032x", Prefix, lengthKey, length)
}

// KnownLength returns the length of the value behind a token that OfLength made.
func KnownLength(token string) (length int, ok bool) {
	digits, ok := strings.CutPrefix(token, Prefix+lengthKey)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimLeft(digits, "0"), 16, 31)
	return int(n), err == nil || strings.Trim(digits, "0") == ""
}

// IsRedacted reports whether a value of a Secret's data, in base64, is a token.
func IsRedacted(value any) bool {
	text, _ := value.(string)
	plain, err := base64.StdEncoding.DecodeString(text)
	return err == nil && Find(string(plain)) != "" || Find(text) != ""
}
