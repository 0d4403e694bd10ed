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

// Abbreviated joins the first so many of a list: a, b, c and 2 others.
func Abbreviated(list []string, most int) string {
	if len(list) > most {
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
