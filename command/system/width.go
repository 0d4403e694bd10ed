package system

import (
	"io"

	"golang.org/x/term"
)

// Width returns how many columns a terminal has, or 0 if w is not a terminal.
func Width(w io.Writer) int {
	f := FileOf(w)
	if f == nil {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return columns
}
