// Package system is what the commands need from the operating system: files
// that are written completely or not at all, git objects, signals, terminals
// and memory. It knows nothing about the rehearsal.
package system

// SignalExit plus the number of the signal is the exit code of a run that a
// signal ends.
const SignalExit = 128
