// Package phrase writes counts and lists into sentences.
package phrase

import (
	"fmt"
	"slices"
	"strings"
)

// Distinct is a list sorted, with each item once.
func Distinct(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// Count is a number with its noun: 1 object, 2 objects, or with the word for many.
func Count(n int, one string, many ...string) string {
	switch {
	case n == 1:
		return "1 " + one
	case many == nil:
		return fmt.Sprintf("%d %ss", n, one)
	}
	return fmt.Sprintf("%d %s", n, many[0])
}

// Abbreviated joins the first so many of a list, and one more: a, b, c and 2 others.
func Abbreviated(list []string, most int) string {
	if len(list) > most+1 {
		return strings.Join(list[:most], ", ") + " and " + Count(len(list)-most, "other")
	}
	return strings.Join(list, ", ")
}

// Some joins the first three names with other words: a, b, c and 2 more.
func Some(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// Listed is how many names Few lists.
const Listed = 4

// Few joins four names, or three if there are more: a, b, c and 2 more.
func Few(names []string) string {
	if len(names) <= Listed {
		return strings.Join(names, ", ")
	}
	return Some(names)
}

// Nearest returns the one name that is spelled like another but for case or for one letter:
// one more, one fewer, another one, or two in the other order. Names of fewer than three
// letters, and names that differ in a digit, are different on purpose. It is "" if there is
// none, or several.
func Nearest(name string, names []string) (nearest string) {
	for _, other := range names {
		if other == name || !strings.EqualFold(name, other) && (min(len(name), len(other)) < 3 || !oneLetter(name, other)) {
			continue
		}
		if nearest != "" && nearest != other {
			return ""
		}
		nearest = other
	}
	return nearest
}

func oneLetter(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	restA, restB := a[i:], b[i:]
	if strings.ContainsAny(restA[:1]+restB[:min(1, len(restB))], "0123456789") {
		return false
	}
	swapped := len(restA) > 1 && len(restB) > 1 && restA[0] == restB[1] && restA[1] == restB[0] && restA[2:] == restB[2:]
	return swapped || restA[1:] == restB || restB != "" && restA[1:] == restB[1:]
}

// Meant asks for the nearest of the words that a program knows, before the rest of an error;
// "" if there is none. Dashes do not count (failOn), and one word may be begun (warn).
func Meant(name string, words []string) string {
	nearest := Nearest(name, words)
	for _, word := range words {
		plain := strings.ReplaceAll(word, "-", "")
		if nearest == "" && len(name) >= 3 && (strings.EqualFold(strings.NewReplacer("-", "", "_", "").Replace(name), plain) || strings.HasPrefix(word, name)) {
			nearest = word
		}
	}
	if nearest == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %q? ", nearest)
}

// Unknown is the error of a value that is none of those that a program knows: what it is, the
// nearest of them, and all.
func Unknown(what, value string, known []string) error {
	return fmt.Errorf("unknown %s %q; %sknown: %s", what, value, Meant(value, known), strings.Join(known, ", "))
}
