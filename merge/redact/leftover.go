package redact

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"
)

// Leftover is a place outside Secrets that has a value which was replaced.
type Leftover struct {
	Line int
	// Where names the value: shop/Secret/db data.password.
	Where string
}

// Leftovers finds the values that were replaced and that the text of a dump
// still has, in clear or in base64. Short values and plain words are not
// searched for, as they would be found everywhere; neither are certificates,
// which are no secret.
func (r *Redactor) Leftovers(text string) []Leftover {
	var found []Leftover
	searched := map[string]bool{}
	for _, o := range r.seen {
		if searched[o.value] || !telling(o.value) {
			continue
		}
		searched[o.value] = true
		for _, form := range []string{o.value, base64.StdEncoding.EncodeToString([]byte(o.value))} {
			for at := index(text, form, 0); at >= 0; at = index(text, form, at+len(form)) {
				found = append(found, Leftover{1 + strings.Count(text[:at], "\n"), o.where})
			}
		}
	}
	slices.SortFunc(found, func(a, b Leftover) int { return cmp.Or(a.Line-b.Line, cmp.Compare(a.Where, b.Where)) })
	return slices.Compact(found)
}

// telling reports whether a value is not likely to stand somewhere by chance.
func telling(value string) bool {
	if len(value) < 8 || strings.HasPrefix(value, "-----BEGIN CERTIFICATE-----") {
		return false
	}
	return len(value) >= 16 || strings.ContainsFunc(value, func(c rune) bool { return !isLetter(c) })
}

func isLetter(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// index finds form in text from an offset, where it is not a part of a word.
func index(text, form string, from int) int {
	for {
		i := strings.Index(text[from:], form)
		if i < 0 {
			return -1
		}
		at := from + i
		end := at + len(form)
		if !(at > 0 && isWordByte(text[at-1])) && !(end < len(text) && isWordByte(text[end])) {
			return at
		}
		from = at + 1
	}
}

func isWordByte(c byte) bool { return isLetter(rune(c)) || c >= '0' && c <= '9' }
