package editor

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// document is an open text.
type document struct {
	uri, path string
	project   string
	version   int
	text      string
	// readable is the newest text of which every document could be read; "" if there
	// was none.
	readable string
}

// apply makes a change as the editor describes it.
func (d *document) apply(c change) {
	if c.Range == nil {
		d.text = c.Text
		return
	}
	start, end := offset(d.text, c.Range.Start), offset(d.text, c.Range.End)
	d.text = d.text[:start] + c.Text + d.text[max(start, end):]
}

// offset is the place of a position in a text. What is beyond the end of a line or of
// the text counts as the end.
func offset(text string, p position) int {
	at := lineStart(text, p.Line)
	for units := 0; at < len(text) && text[at] != '\n' && text[at] != '\r'; {
		r, size := utf8.DecodeRuneInString(text[at:])
		if units += max(utf16.RuneLen(r), 1); units > p.Character {
			break
		}
		at += size
	}
	return at
}

// lineStart is the offset of a line, counted from 0.
func lineStart(text string, line int) int {
	at := 0
	for ; line > 0; line-- {
		i := strings.IndexAny(text[at:], "\r\n")
		if i < 0 {
			return len(text)
		}
		if at += i + 1; text[at-1] == '\r' && at < len(text) && text[at] == '\n' {
			at++
		}
	}
	return at
}

// rows are the lines of a text, without their line breaks.
type rows []string

func rowsOf(text string) (list rows) {
	for {
		i := strings.IndexAny(text, "\r\n")
		if i < 0 {
			return append(list, text)
		}
		list, text = append(list, text[:i]), text[lineStart(text, 1):]
	}
}

// row is a line, counted from 0.
func (r rows) row(line int) string {
	if line < 0 || line >= len(r) {
		return ""
	}
	return r[line]
}

// units is the number of UTF-16 code units in the first characters of a line.
func units(line string, characters int) (n int) {
	for _, r := range line {
		if characters--; characters < 0 {
			break
		}
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// smallest is the smallest edit that makes one text of another: what it repeats of the
// text may be secret.
func smallest(old, new string) textEdit {
	start, tail := 0, 0
	for start < min(len(old), len(new)) && old[start] == new[start] {
		start++
	}
	for start > 0 && (inCharacter(old, start) || inCharacter(new, start)) {
		start--
	}
	for tail < min(len(old), len(new))-start && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	for tail > 0 && (inCharacter(old, len(old)-tail) || inCharacter(new, len(new)-tail)) {
		tail--
	}
	return textEdit{span{positionOf(old, start), positionOf(old, len(old)-tail)}, new[start : len(new)-tail]}
}

// inCharacter reports whether an offset is inside a character or a line break.
func inCharacter(text string, at int) bool {
	return at < len(text) && (!utf8.RuneStart(text[at]) || at > 0 && text[at-1] == '\r')
}

// positionOf is the position of an offset; within a line break, that before it.
func positionOf(text string, at int) position {
	if at > 0 && at < len(text) && text[at-1] == '\r' && text[at] == '\n' {
		at--
	}
	before := text[:at]
	line := before[strings.LastIndexAny(before, "\r\n")+1:]
	breaks := strings.Count(before, "\n") + strings.Count(before, "\r") - strings.Count(before, "\r\n")
	return position{breaks, units(line, len(line))}
}
