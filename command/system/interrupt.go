package system

import (
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"
)

// unfinished has the functions to call before a signal ends the program.
var unfinished struct {
	sync.Mutex
	undo []*func()
}

// UndoOnSignal registers a function to call if a signal ends the program.
// Calling done removes it.
func UndoOnSignal(undo func()) (done func()) {
	done, _ = Begin(func() (func(), error) { return undo, nil })
	return done
}

// Begin calls do and registers the undo that it returns, with no signal in
// between. Calling done removes undo.
func Begin(do func() (undo func(), err error)) (done func(), err error) {
	unfinished.Lock()
	defer unfinished.Unlock()
	undo, err := do()
	if err != nil {
		return nil, err
	}
	unfinished.undo = append(unfinished.undo, &undo)
	return func() {
		unfinished.Lock()
		defer unfinished.Unlock()
		unfinished.undo = slices.DeleteFunc(unfinished.undo, func(f *func()) bool { return f == &undo })
	}, nil
}

// EndOnSignal lets SIGINT, SIGTERM and SIGHUP end the program after cleaning
// up, with the exit codes that a shell reports: 130, 143, 129. A signal ignored
// by the parent process stays ignored (nohup).
func EndOnSignal() {
	var signals []os.Signal
	for _, s := range append(hangup(), os.Interrupt, syscall.SIGTERM) {
		if !signal.Ignored(s) {
			signals = append(signals, s)
		}
	}
	if signals == nil {
		return
	}
	c := make(chan os.Signal, 1)
	signal.Notify(c, signals...)
	go func() {
		s := <-c
		for s == os.Interrupt && paging.Load() > 0 {
			s = <-c
		}
		number, _ := s.(syscall.Signal)
		end(SignalExit + int(number))
	}()
}

// EndAfter lets a time that has passed end the program after cleaning up. say is called first.
func EndAfter(most time.Duration, say func()) {
	time.AfterFunc(most, func() {
		say()
		end(ExitUsage)
	})
}

// end cleans up, and ends the program.
func end(code ExitCode) {
	unfinished.Lock() // never unlocked: nothing new may begin
	for _, undo := range slices.Backward(unfinished.undo) {
		(*undo)()
	}
	os.Exit(code)
}
