package redact

import (
	"encoding/base64"
	"slices"
	"strings"
)

// Leftover is a place outside of Secrets that still has a value that was
// replaced elsewhere.
type Leftover struct {
	Line int
	// Where names the value: shop/Secret/db data.password.
	Where string
}

// Leftovers finds replaced values that the text of a dump still contains, in
// plain text or base64. It does not search for short values and plain words,
// which would be found everywhere, nor for certificates, which are public.
func (r *Redactor) Leftovers(text string) []Leftover {
	forms := map[string][]original{} // by their first bytes
	var begins [1 << 16]bool         // by the first two bytes
	searched := map[string]bool{}
	for _, o := range r.seen {
		if searched[o.value] || !telling(o.value) {
			continue
		}
		searched[o.value] = true
		for _, form := range []string{o.value, base64.StdEncoding.EncodeToString([]byte(o.value))} {
			forms[form[:least]] = append(forms[form[:least]], original{form, o.where})
			begins[pair(form, 0)] = true
		}
	}
	var found []Leftover
	line, counted := 1, 0
	for at := 0; at+least <= len(text); at++ {
		if !begins[pair(text, at)] {
			continue
		}
		for _, o := range forms[text[at:at+least]] {
			if strings.HasPrefix(text[at:], o.value) && standsAlone(text, at, at+len(o.value)) {
				line, counted = line+strings.Count(text[counted:at], "\n"), at
				found = append(found, Leftover{line, o.where})
			}
		}
	}
	return slices.Compact(found)
}

func pair(s string, at int) uint16 { return uint16(s[at])<<8 | uint16(s[at+1]) }

// least is the minimum length of a value that is searched for.
const least = 8

// telling reports whether a value is unlikely to occur by chance.
func telling(value string) bool {
	if len(value) < least || strings.HasPrefix(value, "-----BEGIN CERTIFICATE-----") {
		return false
	}
	return len(value) >= 16 || strings.ContainsFunc(value, func(c rune) bool { return !isLetter(c) })
}

func isLetter(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// standsAlone reports whether a part of a text is not inside a longer word.
func standsAlone(text string, start, end int) bool {
	return !(start > 0 && isWordByte(text[start-1])) && !(end < len(text) && isWordByte(text[end]))
}

func isWordByte(c byte) bool { return isLetter(rune(c)) || c >= '0' && c <= '9' }
