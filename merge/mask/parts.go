package mask

import (
	"encoding/base64"
	"html"
	"net/url"
	"slices"
	"strings"
)

// Secrets inside of a value have a usual place: in an address, after a name, after the scheme of
// a header, or behind the name of a user.

// partNames are names that a text gives a secret to, besides those of variables.
var partNames = &Policy{Env: slices.Concat(KnownEnv, []string{"PASS", "PWD", "*USERPASS", "REQUIREPASS", "MASTERAUTH", "AUTH", "_AUTH", "*ACCESSKEY", "*ACCOUNTKEY", "*PRIVATEKEY"})}

// schemes are the words before the secret of a header.
var schemes = []string{"bearer", "basic", "apikey"}

// Most parts are short; what is longer is a text around them.
const (
	longestPart = 4096
	longestName = 64
)

// partsOf calls found with each secret in a text.
func partsOf(text string, found func(string)) {
	seen := map[string]bool{}
	f := func(part string) {
		if len(part) >= MinLength && len(part) <= longestPart && !seen[part] {
			seen[part] = true
			found(part)
		}
	}
	addressed(text, f)
	assigned(text, f)
	for line := range strings.Lines(text) {
		behindUser(strings.Trim(line, " \t\r\n,\"'"), f)
	}
	f(strings.Trim(strings.TrimSpace(text), "\"'`"))
	behindUser(decoded64(text), f)
}

// decoded64 is a text in base64, such as user:password in a header or of a registry; "" if it is
// none.
func decoded64(text string) string {
	if len(text) <= longestPart {
		plain, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
		if err == nil && strings.IndexFunc(string(plain), notPrintable) < 0 {
			return string(plain)
		}
	}
	return ""
}

func notPrintable(c rune) bool { return c <= ' ' || c > '~' }

// until is a text as far as one of some characters.
func until(text, characters string) string {
	if end := strings.IndexAny(text, characters); end >= 0 {
		return text[:end]
	}
	return text
}

// addressed calls f with the passwords of addresses, and with a token in the place of a user.
func addressed(text string, f func(string)) {
	for found := true; found; {
		if _, text, found = strings.Cut(text, "://"); !found {
			return
		}
		authority := until(text, "/?# \t\r\n\"'")
		user, password, has := strings.Cut(authority[:max(0, strings.LastIndex(authority, "@"))], ":")
		for _, part := range []string{password, user} {
			if plain, err := url.PathUnescape(part); has && part == password || unlikely(part) {
				f(part)
				if err == nil {
					f(plain)
				}
			}
		}
	}
}

// behindUser calls f with the password of user:password, user:password@host, user/password@host
// and of fields between colons, of which it is the last.
func behindUser(line string, f func(string)) {
	if strings.Contains(line, "://") || strings.ContainsAny(line, " \t") {
		return
	}
	before := line
	if at := strings.LastIndexByte(line, '@'); at >= 0 {
		before = line[:at]
		if _, password, ok := strings.Cut(before, "/"); ok {
			f(password)
		}
	}
	if _, password, ok := strings.Cut(before, ":"); ok {
		f(password)
		f(line[strings.LastIndexByte(line, ':')+1:])
	}
}

// assigned calls f with what a text gives a name: name=value, name: value, <name>value</name>,
// name value, and with what is behind a scheme. A name and a value may be in quotes.
func assigned(text string, f func(string)) {
	netrc := strings.Contains(text, "machine ") || strings.Contains(text, "login ")
	names := map[string]bool{}
	named := false // the value of a name is the name of the next value
	for i := range len(text) {
		blank := text[i] == ' ' || text[i] == '\t' || text[i] == '\n' && netrc
		if !blank && text[i] != '=' && text[i] != ':' && text[i] != '>' {
			continue
		}
		name := nameBefore(text[:i], blank)
		if name == "" {
			continue
		}
		hides, known := names[name]
		if !known {
			hides = partNames.HidesEnv(name)
			names[name] = hides
		}
		switch {
		case hides && !blank:
			valueAfter(text[i:], f)
		case hides || slices.Contains(schemes, strings.ToLower(name)):
			rest := strings.TrimLeft(text[i:], " \t\n")
			word := strings.Trim(until(rest, " \t\r\n,;\"'"), "\"'")
			if netrc && hides || strings.ToLower(word) != word || strings.ContainsAny(word, "0123456789") {
				f(word)
				if strings.EqualFold(name, "basic") {
					behindUser(decoded64(word), f)
				}
			}
		case blank:
		case strings.EqualFold(name, "name") || strings.EqualFold(name, "key"):
			value := strings.TrimLeft(text[i:], "=: \t\\\"'")
			named = partNames.HidesEnv(until(value[:min(longestName, len(value))], " \t\r\n,;\\\"'<"))
		case named && strings.EqualFold(name, "value"):
			named = false
			valueAfter(text[i:], f)
		}
	}
}

// nameBefore is the name at the end of a text; in quotes, or before blanks, unless a blank ends it.
func nameBefore(text string, blank bool) string {
	text = text[max(0, len(text)-longestName-4):]
	if !blank {
		text = strings.TrimRight(text, " \t\\\"'")
	}
	begin := strings.LastIndexFunc(text, func(c rune) bool {
		return !isWordByte(byte(c)) && c != '_' && c != '-' && c != '.' || c >= 0x80
	})
	return strings.TrimLeft(text[begin+1:], "-")
}

// valueAfter calls f with the value that begins behind =, :, => or >, as a whole line has it and
// as far as the next blank.
func valueAfter(text string, f func(string)) {
	inTag := text[0] == '>'
	text = strings.TrimLeft(text, "=:> \t")
	if strings.HasPrefix(text, "|") || strings.HasPrefix(text, "\n") { // a block of YAML
		_, text, _ = strings.Cut(text, "\n")
		text = strings.TrimLeft(text, " \t\n")
	}
	text = text[:min(len(text), longestPart)]
	quoted := strings.TrimLeft(text, `\`)
	switch {
	case inTag:
		text = until(text, "<")
		f(text)
		f(html.UnescapeString(text))
	case quoted != "" && strings.IndexByte("\"'`", quoted[0]) >= 0:
		quote, end := quoted[0], 1
		for end < len(quoted) && (quoted[end] != quote || quoted[end-1] == '\\' && quoted == text) {
			end++
		}
		inner := strings.TrimSuffix(quoted[1:max(1, end)], `\`)
		f(inner)
		if plain := strings.ReplaceAll(strings.ReplaceAll(inner, `\`+string(quote), string(quote)), `\\`, `\`); plain != inner {
			f(plain)
		}
	case strings.HasPrefix(text, "{"):
		f(until(text[1:], "}"))
	default:
		line := until(text, "\n;&")
		f(strings.Trim(line, " \t\r,\"'"))
		if word := until(line, " \t\r,\"'<)"); word != line {
			f(word)
		}
	}
}
