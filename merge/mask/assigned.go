package mask

import (
	"net/url"
	"strings"
)

// assigned calls f with what a text, such as a file of settings or a connection string,
// gives a name of KnownEnv, and with the passwords of the addresses in it.
func assigned(text string, f func(string)) {
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "://")
		if !found {
			break
		}
		rest = after
		authority := rest[:strings.IndexAny(rest+"/", "/?# \t\r\n\"'")]
		_, password, has := strings.Cut(authority[:max(0, strings.LastIndex(authority, "@"))], ":")
		if has {
			f(password)
			if plain, err := url.PathUnescape(password); err == nil {
				f(plain)
			}
		}
	}
	if !strings.ContainsAny(text, "=:") {
		return
	}
	known := &Policy{Env: KnownEnv}
	for part := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == '\n' || c == ';' || c == '&' }) {
		i := strings.IndexAny(part, "=:")
		if i < 0 {
			continue
		}
		words := strings.Fields(part[:i])
		if len(words) > 0 && known.HidesEnv(strings.Trim(words[len(words)-1], `"'`)) {
			f(strings.Trim(part[i+1:], " \t\r,\"'"))
		}
	}
}
