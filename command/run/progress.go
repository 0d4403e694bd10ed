package run

import (
	"fmt"
	"io"

	"threeway/command/system"
)

// watch shows how far a run is, on a terminal unless it is to be quiet, and says it if a
// signal ends the run.
func watch(progress fmt.Stringer, std system.Streams, quiet bool) (stop func()) {
	if quiet {
		return func() {}
	}
	unwatch := system.WatchProgress(std, progress.String)
	done := system.UndoOnSignal(func() {
		unwatch()
		if at := progress.String(); at != "" {
			var to io.Writer = std.Err
			if f := system.FileOf(to); f != nil {
				to = f // what is written meanwhile goes on
			}
			fmt.Fprintln(to, "error: stopped while "+at)
		}
	})
	return func() {
		done()
		unwatch()
	}
}
