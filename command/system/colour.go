package system

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Coloured reports whether text written to w should have colors. The value of
// --color decides: always or never. With auto, NO_COLOR and FORCE_COLOR decide,
// and then whether w is a terminal.
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
