package show

import (
	"encoding/json"

	"threeway/merge/text/textdiff"
	"threeway/merge/tree"
)

// apart are two values of a field as text on one line each, (none) where there is none.
// Long ones are cut around the place where they differ, texts of several lines to the lines
// that do; different values are never shown as the same text.
func apart(thereA bool, a any, thereB bool, b any) (string, string) {
	if !thereA || !thereB {
		x, y := either(thereA, a), either(thereB, b)
		if x != y || !thereA && !thereB {
			return x, y
		}
		if thereA {
			return whole(a), y
		}
		return x, whole(b)
	}
	x, y := textdiff.Contrast(a, b, plainly, longestValue)
	if x == y && !tree.Equal(a, b) {
		return textdiff.Contrast(a, b, whole, longestValue)
	}
	return x, y
}

// whole is a value as JSON.
func whole(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return plainly(v)
	}
	return escaped(string(b))
}
