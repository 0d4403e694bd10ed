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

// Count is a number with its noun.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Abbreviated joins the first few of a list: a, b, c and 2 others.
func Abbreviated(list []string) string {
	const most = 3
	if len(list) > most {
		return strings.Join(list[:most], ", ") + " and " + Count(len(list)-most, "other", "others")
	}
	return strings.Join(list, ", ")
}

// Some is Abbreviated with other words: a, b, c and 2 more.
func Some(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// shown is how many names of a kind a look lists.
const MostFew = 4

// Few is the beginning of a list.
func Few(list []string) string {
	if len(list) <= MostFew {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:MostFew-1], ", "), len(list)-MostFew+1)
}
