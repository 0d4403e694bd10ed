package system

import (
	"errors"
	"io"
	"syscall"
)

// Stdout is standard output that remembers what went wrong, so that no command
// succeeds whose result is lost.
type Stdout struct {
	io.Writer
	// Err is the first error of writing.
	Err error
}

// Write writes p, and remembers the first error.
func (s *Stdout) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	if err != nil && s.Err == nil {
		s.Err = err
	}
	return n, err
}

// BrokenPipe reports whether the reader of stdout has gone away, as in
// `threeway diff … | head`: no reason to complain.
func BrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
