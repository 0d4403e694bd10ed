package yamltext

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// entry is a key of an object with its value.
type entry struct {
	key   string
	value any
}

// appendSorted appends an object's entries in natural order of the keys. That
// order is not transitive (01x, 0e, 1a), so the entries are first sorted
// bytewise, to get the same text every time.
func appendSorted(list []entry, o map[string]any) []entry {
	first := len(list)
	for k, v := range o {
		list = append(list, entry{clean(k), v})
	}
	slices.SortFunc(list[first:], func(a, b entry) int { return strings.Compare(a.key, b.key) })
	natural := func(a, b entry) int {
		switch {
		case less(a.key, b.key):
			return -1
		case less(b.key, a.key):
			return 1
		}
		return 0
	}
	if !slices.IsSortedFunc(list[first:], natural) {
		slices.SortStableFunc(list[first:], natural)
	}
	return list
}

// less is the order of keys (sorter.go, keyList): at the first difference,
// other characters come before letters, and runs of digits compare as numbers.
func less(a, b string) bool {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if i == len(a) || i == len(b) {
		return len(a) < len(b)
	}
	for i > 0 && !utf8.RuneStart(a[i]) {
		i--
	}
	x, _ := utf8.DecodeRuneInString(a[i:])
	y, _ := utf8.DecodeRuneInString(b[i:])
	switch letterX, letterY := unicode.IsLetter(x), unicode.IsLetter(y); {
	case letterX && letterY:
		return x < y
	case letterX || letterY:
		return letterY
	}
	start := int64(0)
	if (x == '0' || y == '0') && digitsBefore(a[:i]) {
		start = 1
	}
	numberX, digitsX := number(start, a[i:])
	numberY, digitsY := number(start, b[i:])
	switch {
	case numberX != numberY:
		return numberX < numberY
	case digitsX != digitsY:
		return digitsX < digitsY
	}
	return x < y
}

// digitsBefore reports whether s ends inside a number other than 0, so that a
// zero after it is not a leading one.
func digitsBefore(s string) bool {
	for len(s) > 0 {
		r, size := utf8.DecodeLastRuneInString(s)
		if !unicode.IsDigit(r) {
			return false
		}
		if r != '0' {
			return true
		}
		s = s[:len(s)-size]
	}
	return false
}

// number reads the digits at the beginning of s and appends them to n.
func number(n int64, s string) (value int64, digits int) {
	for _, r := range s {
		if !unicode.IsDigit(r) {
			break
		}
		n = n*10 + int64(r-'0')
		digits++
	}
	return n, digits
}
