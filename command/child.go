package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"

	"threeway/command/system"
)

// printedBy runs a program and returns what it prints. What it says on stderr is passed
// on. more is set if it prints more than most bytes; then and if it fails, ended says
// how it ended. err is about the stderr that it was passed on to.
func printedBy(ctx context.Context, stdin io.Reader, stderr io.Writer, most int64, program string, args ...string) (printed []byte, more bool, ended, err error) {
	var out, said bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	stdout := &bounded{to: &out, left: int(most)}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, &bounded{to: &said, left: 1 << 20}
	ended = system.RunChild(cmd)
	_, err = said.WriteTo(stderr)
	return out.Bytes(), stdout.full, ended, err
}

// bounded passes on what it is given, up to a number of bytes, and then fails,
// which ends the program that writes.
type bounded struct {
	to   io.Writer
	left int
	full bool
}

// Write passes p on if it fits; otherwise it fails, and full is set.
func (b *bounded) Write(p []byte) (int, error) {
	if len(p) > b.left {
		b.full = true
		return 0, errors.New("too much output")
	}
	b.left -= len(p)
	return b.to.Write(p)
}
