package command

import (
	"errors"
	"io"
	"syscall"
)

// stdout is standard output that remembers what went wrong, so that no command
// ends well whose result nobody has.
type stdout struct {
	io.Writer
	err error
}

func (s *stdout) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	if err != nil && s.err == nil {
		s.err = err
	}
	return n, err
}

// brokenPipe reports whether the reader of stdout has gone away, as in
// `threeway diff … | head`: no reason to complain.
func brokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
