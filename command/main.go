// Package command is the command line of threeway: one file per command. They
// know flags, streams and exit codes. How anything is computed is in merge and
// the packages below it.
package command

import (
	"context"
	"io"
	"os"

	"threeway/command/system"
)

// streams are the standard streams of one run.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// Main is the whole program with the arguments, streams and signals of its
// process. v is its version and s the address of its site, if the linker knows
// them. It returns the exit code.
func Main(v, s string) int {
	version, site = v, s
	system.CollectSeldom()
	system.EndOnSignal()
	return Run(context.Background(), os.Args, os.Stdin, os.Stdout, os.Stderr)
}
