// Package visible shows characters that act on a terminal, a pager or a review,
// or that have no width.
package visible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Acts reports whether a character acts instead of being shown: control
// characters, those that change the writing direction or begin a new line, and those
// without a width, in which two texts that look alike may differ. The page of review
// shows the same ones (lint/report/webpage/assets/dom.js).
func Acts(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r > 0xa0 && unicode.Is(unseen, r) }

var unseen = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0xad, 0xad, 1}, {0x34f, 0x34f, 1}, {0x61c, 0x61c, 1}, {0x115f, 0x1160, 1}, {0x17b4, 0x17b5, 1}, {0x180e, 0x180e, 1}, {0x200b, 0x200f, 1},
		{0x2028, 0x202e, 1}, {0x2060, 0x206f, 1}, {0x3164, 0x3164, 1}, {0xfeff, 0xfeff, 1}, {0xffa0, 0xffa0, 1}, {0xfff9, 0xfffb, 1},
	},
	R32:         []unicode.Range32{{0xe0000, 0xe0fff, 1}},
	LatinOffset: 1,
}

// Line is text on one line: characters that act, and bytes that are no UTF-8,
// are written as Go and JSON write them, such as \n and \u202e.
func Line(text string) string { return escaped(text, "") }

// Joined is Line, but line feeds and tabs become spaces: a text of several lines
// in a format that is read by lines.
func Joined(text string) string { return Line(spaces.Replace(text)) }

// longest is how many characters Short leaves.
const longest = 500

// Short makes one short line of a text.
func Short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > longest {
		text = string(r[:longest-1]) + "…"
	}
	return Line(text)
}

var spaces = strings.NewReplacer("\n", " ", "\t", " ")

// Text is Line, but keeps line feeds and tabs.
func Text(text string) string { return escaped(text, "\n\t") }

const hex = "0123456789abcdef"

func escaped(text, kept string) string {
	plain := 0
	for plain < len(text) && text[plain] >= ' ' && text[plain] < 0x7f {
		plain++
	}
	if plain == len(text) { // as most are
		return text
	}
	acts := func(r rune) bool { return Acts(r) && !strings.ContainsRune(kept, r) }
	if !strings.ContainsFunc(text, acts) && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch _, size := utf8.DecodeRuneInString(text[i:]); {
		case r == utf8.RuneError && size == 1:
			b.Write([]byte{'\\', 'x', hex[text[i]>>4], hex[text[i]&15]})
		case !acts(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x80:
			b.Write([]byte{'\\', 'x', hex[r>>4], hex[r&15]})
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
