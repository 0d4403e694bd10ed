package rules

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// misspelt finds the one name that differs from another by one letter: one more, one fewer,
// another one, or two in the other order. Numbers differ on purpose. It is "" if there is none,
// or several.
func misspelt(name string, names []string) (likely string) {
	for _, other := range names {
		if other == name || !oneLetter(name, other) {
			continue
		}
		if likely != "" && likely != other {
			return ""
		}
		likely = other
	}
	return likely
}

// oneLetter reports whether two names of four letters or more differ by one.
func oneLetter(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(b) < 4 || !utf8.ValidString(a+b) {
		return false
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	restA, restB := a[i:], b[i:]
	if letter := restA[:1]; strings.ContainsAny(letter+restB[:min(1, len(restB))], "0123456789") {
		return false
	}
	switch {
	case restA[1:] == restB: // one more
	case restB != "" && restA[1:] == restB[1:]: // another one
	case len(restA) > 1 && len(restA) == len(restB) && restA[0] == restB[1] && restA[1] == restB[0] && restA[2:] == restB[2:]:
	default:
		return false
	}
	return true
}

// quoted are names in quotes, for a message.
func quoted(names []string) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = strconv.Quote(n)
	}
	return strings.Join(list, ", ")
}
