// Command threeway rehearses kubectl apply with no cluster: it reads config
// files and exported snapshots of live objects, simulates the three-way merge
// and the API server's part, and shows what would change and why.
//
// One file per command stands beside this one; they know flags, streams and
// exit codes. How anything is computed is in merge and the packages below it.
package main

import (
	"context"
	"io"
	"os"
)

// The exit codes. Trouble beats findings: never exitDifferences for trouble.
const (
	exitOK          = 0
	exitDifferences = 1 // differences (diff), rejected objects (merge)
	exitUsage       = 2 // bad usage, unreadable or undecodable input
	exitInternal    = 3
	exitSignal      = 128             // and the number of the signal that ended the run
	exitPipe        = exitSignal + 13 // SIGPIPE: nobody reads the result
)

// streams are the standard streams of one run.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	collectSeldom()
	endOnSignal()
	os.Exit(run(context.Background(), os.Args, streams{os.Stdin, onTerminal(os.Stdout), onTerminal(os.Stderr)}))
}
