package source

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// DecodeText turns a file into text as kubectl does: a byte order mark chooses
// UTF-8 or UTF-16 and is dropped; without one, bytes that are not UTF-8 become
// U+FFFD (FileVisitor.Visit, golang.org/x/text/encoding/unicode BOMOverride).
func DecodeText(data []byte) string {
	switch {
	case len(data) >= 2 && data[0] == 0xFE && data[1] == 0xFF:
		return decodeUTF16(data[2:], 0, 1)
	case len(data) >= 2 && data[0] == 0xFF && data[1] == 0xFE:
		return decodeUTF16(data[2:], 1, 0)
	case len(data) >= 3 && data[0] == 0xEF && data[1] == 0xBB && data[2] == 0xBF:
		return string(data[3:])
	case utf8.Valid(data):
		return string(data)
	}
	var b strings.Builder
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		if r == utf8.RuneError && n == 1 {
			n = illFormed(data)
		}
		b.WriteRune(r)
		data = data[n:]
	}
	return b.String()
}

// Characters is utf8.RuneCountInString, fast for long texts that are mostly
// ASCII.
func Characters(s string) (n int) {
	for len(s) > 0 {
		if len(s) >= 16 && (word(s)|word(s[8:]))&0x8080808080808080 == 0 {
			n += 16
			s = s[16:]
			continue
		}
		_, size := utf8.DecodeRuneInString(s)
		n++
		s = s[size:]
	}
	return n
}

// decodeUTF16 decodes pairs of bytes whose high and low ones are where hi and
// lo say. An odd byte at the end becomes U+FFFD.
func decodeUTF16(data []byte, hi, lo int) string {
	units := make([]uint16, 0, len(data)/2)
	for ; len(data) >= 2; data = data[2:] {
		units = append(units, uint16(data[hi])<<8|uint16(data[lo]))
	}
	s := string(utf16.Decode(units))
	if len(data) == 1 {
		s += string(utf8.RuneError)
	}
	return s
}

// illFormed returns the length of the ill-formed UTF-8 at the beginning of
// data: the longest start of a valid sequence, which one U+FFFD replaces.
func illFormed(data []byte) int {
	for n := min(3, len(data)); n > 1; n-- {
		if !utf8.FullRune(data[:n]) {
			return n
		}
	}
	return 1
}
