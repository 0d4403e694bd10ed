package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// untilInterrupted returns a context that ends on SIGINT, SIGTERM and SIGHUP, so
// that a run can clean up after itself.
func untilInterrupted(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
}

// debugging reports whether the user asked for stack traces.
func debugging() bool { return os.Getenv("THREEWAY_DEBUG") != "" }
