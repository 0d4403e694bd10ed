package system

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"threeway/merge/text/visible"
)

// Screen writes text so that what is in it from a file cannot control a
// terminal: characters that act are shown as escapes. Only colors that Marked
// has made are written as they are. What is no text for people, such as JSON to
// a file, passes unchanged.
type Screen struct {
	to     io.Writer
	escape bool
	rest   []byte // the beginning of a character or of a mark
}

// NewScreen returns a Screen over w. It escapes if w is a terminal or if always
// is set.
func NewScreen(w io.Writer, always bool) *Screen {
	f, is := w.(*os.File)
	return &Screen{to: w, escape: always || is && term.IsTerminal(int(f.Fd()))}
}

// Escape makes the screen that a writer leads to, if it is one, escape from now on.
func Escape(w io.Writer) {
	switch w := w.(type) {
	case *Screen:
		w.escape = true
	case *Stdout:
		Escape(w.Writer)
	}
}

// mark begins the color sequences of this run. No input can have it.
var mark = "\x1b" + rand.Text() + "["

// Marked returns our own text, such as a color sequence, with its sequences
// marked as ours.
func Marked(sequence string) string { return strings.ReplaceAll(sequence, "\x1b[", mark) }

// FileOf returns the file that a writer leads to, or nil.
func FileOf(w io.Writer) *os.File {
	switch w := w.(type) {
	case *os.File:
		return w
	case *Screen:
		return FileOf(w.to)
	case *Stdout:
		return FileOf(w.Writer)
	}
	return nil
}

// Write writes data and escapes what could control the terminal.
func (s *Screen) Write(data []byte) (int, error) {
	text := append(s.rest, data...)
	shown, used := []byte(nil), len(text)
	if s.escape {
		var escaped string
		escaped, used = shownOf(text)
		shown = []byte(escaped)
	} else {
		if i := bytes.LastIndexByte(text, mark[0]); i >= 0 && len(text)-i < len(mark) && strings.HasPrefix(mark, string(text[i:])) {
			used = i
		}
		shown = bytes.ReplaceAll(text[:used], []byte(mark), []byte("\x1b["))
	}
	s.rest = append([]byte(nil), text[used:]...)
	if _, err := s.to.Write(shown); err != nil {
		return 0, err
	}
	return len(data), nil
}

// Flush writes what may have been the beginning of something longer.
func (s *Screen) Flush() error {
	rest := s.rest
	if s.rest = nil; len(rest) == 0 {
		return nil
	}
	if s.escape {
		rest = []byte(visible.Text(string(rest)))
	}
	_, err := s.to.Write(rest)
	return err
}

// shownOf escapes text and returns how much of it was used. The rest may be the
// beginning of something longer.
func shownOf(text []byte) (shown string, used int) {
	var b strings.Builder
	for used < len(text) {
		r, size := utf8.DecodeRune(text[used:])
		switch {
		case r == utf8.RuneError && size == 1 && !utf8.FullRune(text[used:]):
			return b.String(), used
		case bytes.HasPrefix(text[used:], []byte(mark)):
			b.WriteString("\x1b[")
			size = len(mark)
		case len(text)-used < len(mark) && strings.HasPrefix(mark, string(text[used:])):
			return b.String(), used
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[used])
		default:
			b.WriteString(visible.Text(string(r)))
		}
		used += size
	}
	return b.String(), used
}
