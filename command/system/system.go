// Package system is what the commands need of the system they run on: files that
// are written whole or not at all, git's objects, signals, terminals and memory.
// It knows nothing of what is rehearsed.
package system

// SignalExit, and the number of the signal, is the exit code of a run that a
// signal ends.
const SignalExit = 128
