//go:build !unix

package command

import "io"

// terminalWidth is how many columns a terminal has, 0 where that is not known.
func terminalWidth(io.Writer) int { return 0 }
