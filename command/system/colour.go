package system

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Coloured reports whether text for w is to be coloured: when, which is auto,
// always or never, decides, then NO_COLOR and FORCE_COLOR, then whether it is a
// terminal.
func Coloured(when string, w io.Writer) bool {
	switch {
	case when != "auto":
		return when == "always"
	case os.Getenv("NO_COLOR") != "":
		return false
	case os.Getenv("FORCE_COLOR") != "":
		return true
	}
	f := FileOf(w)
	return f != nil && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}
