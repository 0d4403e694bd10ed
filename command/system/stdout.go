package system

import (
	"errors"
	"io"
	"syscall"
)

// Stdout is standard output that remembers write errors, so that a command
// fails if its result is lost.
type Stdout struct {
	io.Writer
	// Err is the first write error.
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

// BrokenPipe reports whether the reader of stdout has closed it, as in
// `threeway diff … | head`. That needs no error message.
func BrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
