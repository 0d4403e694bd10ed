package system

import (
	"io"
	"syscall"
)

// ExitCode is how a run ends. Trouble beats findings: never ExitDifferences for
// trouble.
type ExitCode = int

const (
	ExitOK          ExitCode = 0
	ExitDifferences ExitCode = 1 // differences (diff), rejected objects (merge)
	ExitUsage       ExitCode = 2 // bad usage, unreadable or undecodable input
	ExitAsk         ExitCode = 3 // a person must confirm (guard)
	ExitInternal    ExitCode = 70
	ExitPipe        ExitCode = SignalExit + ExitCode(SignalPipe) // the reader of the result is gone
)

// SignalPipe is SIGPIPE, which not every platform has a name for.
const SignalPipe syscall.Signal = 13

// Streams are the standard streams of one run.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Version is that of a release, and site the address of its documentation; they
// are empty in other builds.
var Version, Site string
