package system

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// terminal writes to a terminal so that text from a file cannot control it:
// control characters, and characters that change the writing direction, are
// shown as numbers. Our own colors pass unchanged.
type terminal struct {
	file *os.File
	rest []byte // the beginning of a character or of a color sequence
}

// OnTerminal returns f, wrapped in a terminal if f is a terminal.
func OnTerminal(f *os.File) io.Writer {
	if term.IsTerminal(int(f.Fd())) {
		return &terminal{file: f}
	}
	return f
}

// FileOf returns the file that a writer leads to, or nil.
func FileOf(w io.Writer) *os.File {
	switch w := w.(type) {
	case *os.File:
		return w
	case *terminal:
		return w.file
	case *Stdout:
		return FileOf(w.Writer)
	}
	return nil
}

// Write writes data and escapes the sequences that could control the terminal.
func (t *terminal) Write(data []byte) (int, error) {
	text := append(t.rest, data...)
	shown, used := visible(text)
	t.rest = append([]byte(nil), text[used:]...)
	_, err := t.file.WriteString(shown)
	return len(data), err
}

// colours are the parameters of the color sequences that threeway writes.
const colours = " 0 1 2 7 22 27 31 32 33 36 "

// visible escapes text and returns how much of it was used. The rest may be the
// beginning of a longer sequence.
func visible(text []byte) (shown string, used int) {
	var b strings.Builder
	for used < len(text) {
		r, size := utf8.DecodeRune(text[used:])
		switch {
		case r == utf8.RuneError && size == 1 && !utf8.FullRune(text[used:]):
			return b.String(), used
		case r == '\x1b':
			length, whole := colour(text[used:])
			if !whole {
				return b.String(), used
			}
			if length > 0 {
				b.Write(text[used : used+length])
				used += length
				continue
			}
			b.WriteString(`\x1b`)
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r < ' ' || r == 0x7f || r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[used])
		case r >= 0x80 && r < 0xa0, turns(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		used += size
	}
	return b.String(), used
}

// turns reports whether a character changes the writing direction or begins a
// new line.
func turns(r rune) bool {
	return r == 0x61c || r == 0x200e || r == 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// colour returns the length of the color sequence at the beginning of text, or
// 0 if there is none. whole is false if the text ends before that is known.
func colour(text []byte) (length int, whole bool) {
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case i == 1 && c == '[', i > 1 && (c >= '0' && c <= '9' || c == ';') && i < 16:
		case i > 1 && c == 'm':
			for _, n := range strings.Split(string(text[2:i]), ";") {
				if !strings.Contains(colours, " "+n+" ") {
					return 0, true
				}
			}
			return i + 1, true
		default:
			return 0, true
		}
	}
	return 0, false
}
