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

// lineOf is the text of a line, counted from 0, without its line break.
func lineOf(text string, line int) string {
	rest := text[lineStart(text, line):]
	if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
		rest = rest[:i]
	}
	return rest
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

// smallest is the smallest edit of whole lines that makes one text of another.
func smallest(old, new string) textEdit {
	before, after := strings.SplitAfter(old, "\n"), strings.SplitAfter(new, "\n")
	same := 0
	for same < min(len(before), len(after)) && before[same] == after[same] {
		same++
	}
	tail := 0
	for tail < min(len(before), len(after))-same && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	last := len(before) - tail
	end := position{Line: last}
	if last == len(before) { // the last line has no line break
		end = position{last - 1, units(before[last-1], len(before[last-1]))}
	}
	return textEdit{span{position{Line: min(same, end.Line)}, end}, strings.Join(after[min(same, end.Line):len(after)-tail], "")}
}
