//go:build unix

package command

import (
	"io"

	"golang.org/x/sys/unix"
)

// terminalWidth is how many columns a terminal has, 0 if w is none.
func terminalWidth(w io.Writer) int {
	f := fileOf(w)
	if f == nil {
		return 0
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
