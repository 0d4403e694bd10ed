package mask

import (
	"encoding/base64"
	"regexp"
	"strings"
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

// IsRedacted reports whether a value of a Secret's data, in base64, is a token.
func IsRedacted(value any) bool {
	text, _ := value.(string)
	plain, err := base64.StdEncoding.DecodeString(text)
	return err == nil && Token(string(plain)) != "" || Token(text) != ""
}
