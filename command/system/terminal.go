package system

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"threeway/merge/text/columns"
	"threeway/merge/text/visible"
)

// Screen writes text so that what is in it from a file cannot control a
// terminal: characters that act are shown as escapes. Only colors that Marked
// has made are written as they are. What is no text for people, such as JSON to
// a file, passes unchanged. In the log of a job, text cannot be a command to the
// service that runs the job.
type Screen struct {
	to          io.Writer
	escape, log bool
	columns     int                 // of a terminal on which lines are folded at blanks; 0 is none
	strike      func([]byte) []byte // nil: nothing is struck
	rest        []byte              // the beginning of a character, of a mark or of a line
	before      func()              // nil, or what is done before anything is written
}

// NewScreen returns a Screen over w. It escapes if w is a terminal, if always is
// set, and in a job, until Data says what is written.
func NewScreen(w io.Writer, always bool) *Screen {
	log := slices.ContainsFunc(jobs, func(variable string) bool { return os.Getenv(variable) != "" })
	return &Screen{to: w, escape: always || log || isTerminal(w), log: log}
}

// NewMessages returns a Screen for what is said besides the result. On a terminal its
// lines break between words.
func NewMessages(w io.Writer) *Screen {
	s := NewScreen(w, true)
	s.columns = Width(w)
	return s
}

func isTerminal(w io.Writer) bool {
	f, is := w.(*os.File)
	return is && term.IsTerminal(int(f.Fd()))
}

// jobs are variables that services set in a job.
var jobs = []string{"CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "TEAMCITY_VERSION"}

// orders begin what a service takes for a command in a log: GitHub a word behind ::
// at the beginning of a line, before which spaces do not count, and ##[ anywhere
// (actions/runner ActionCommand.cs); Azure ##vso[ and TeamCity ##teamcity[.
var orders = regexp.MustCompile(`(?m)^([\pZ\t]*):(:[A-Za-z])|#(#[A-Za-z]*\[)`)

// Data makes the screen that a writer leads to pass data for programs unchanged, also
// in a job; of JSON it escapes commands there, which does not change the values.
func Data(w io.Writer, json bool) {
	switch w := w.(type) {
	case *Screen:
		w.escape, w.log = isTerminal(w.to), w.log && json
	case *Stdout:
		Data(w.Writer, json)
	}
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

// RedactWith makes the screen that a writer leads to pass each of its lines through a function
// that takes out what must not be printed.
func RedactWith(w io.Writer, strike func([]byte) []byte) {
	switch w := w.(type) {
	case *Screen:
		w.strike = strike
	case *Stdout:
		RedactWith(w.Writer, strike)
	}
}

// Redacted is data, for a file, without what may not be printed on the screen that a writer
// leads to.
func Redacted(w io.Writer, data []byte) []byte {
	switch w := w.(type) {
	case *Screen:
		if w.strike != nil {
			return w.strike(data)
		}
	case *Stdout:
		return Redacted(w.Writer, data)
	}
	return data
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
	case *pager:
		return w.file
	case *Screen:
		return FileOf(w.to)
	case *Stdout:
		return FileOf(w.Writer)
	}
	return nil
}

// Write writes data and escapes what could control the terminal.
func (s *Screen) Write(data []byte) (int, error) {
	text := append(s.rest, folded(data, s.columns)...)
	used := len(text)
	if s.log || s.strike != nil { // whole lines
		if used = bytes.LastIndexByte(text, '\n') + 1; used == 0 {
			s.rest = text
			return len(data), nil
		}
	}
	whole := text[:used]
	if s.strike != nil {
		whole = s.strike(whole)
	}
	shown, taken := s.shown(whole)
	s.rest = append(bytes.Clone(whole[taken:]), text[used:]...)
	if s.before != nil {
		s.before()
	}
	if _, err := s.to.Write(shown); err != nil {
		return 0, err
	}
	return len(data), nil
}

// Folded is a text whose lines break between words on the terminal that a writer leads to.
func Folded(w io.Writer, text string) string { return string(folded([]byte(text), Width(w))) }

// folded breaks the whole lines of data that are longer than a terminal has columns.
// What goes on below a line is indented.
func folded(data []byte, width int) []byte {
	if width == 0 || len(data) < width {
		return data
	}
	var b bytes.Buffer
	for line := range bytes.Lines(data) {
		text, whole := strings.CutSuffix(string(line), "\n")
		if !whole {
			b.Write(line)
			continue
		}
		indent := len(text) - len(strings.TrimLeft(text, " ")) + 2
		b.WriteString(strings.Join(columns.Fold(text, width, indent), "\n"+strings.Repeat(" ", indent)) + "\n")
	}
	return b.Bytes()
}

// shown is text as it is written, and how much of it was used.
func (s *Screen) shown(text []byte) (shown []byte, used int) {
	if used = len(text); s.escape {
		var escaped string
		escaped, used = shownOf(text)
		shown = []byte(escaped)
	} else {
		if i := bytes.LastIndexByte(text, mark[0]); i >= 0 && len(text)-i < len(mark) && strings.HasPrefix(mark, string(text[i:])) {
			used = i
		}
		shown = bytes.ReplaceAll(text[:used], []byte(mark), []byte("\x1b["))
	}
	if s.log {
		shown = orders.ReplaceAllFunc(shown, func(found []byte) []byte {
			i := bytes.IndexAny(found, ":#")
			return fmt.Appendf(nil, `%s\u%04x%s`, found[:i], found[i], found[i+1:])
		})
	}
	return shown, used
}

// Flush writes what may have been the beginning of something longer.
func (s *Screen) Flush() error {
	if s.strike != nil {
		s.rest = s.strike(s.rest)
	}
	shown, used := s.shown(s.rest)
	rest := s.rest[used:]
	if s.rest = nil; s.escape {
		rest = []byte(visible.Text(string(rest)))
	}
	if shown = append(shown, rest...); len(shown) == 0 {
		return nil
	}
	if s.before != nil {
		s.before()
	}
	_, err := s.to.Write(shown)
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
