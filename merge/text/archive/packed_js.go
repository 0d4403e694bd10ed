package archive

import (
	"errors"
	"io"
)

// A page in the browser has texts that were typed, and is loaded over the
// network: it does without the library for zstd.
var errZstd = errors.New("zstd is not read in a browser; unpack it first")

func readZstd(io.Reader) (io.ReadCloser, error) { return nil, errZstd }

func writeZstd(io.Writer) (io.WriteCloser, error) { return nil, errZstd }

func pack(text []byte) []byte { return text }

func unpack(chunk []byte) ([]byte, error) { return chunk, nil }
