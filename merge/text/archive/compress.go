package archive

import (
	"compress/gzip"
	"io"
	"path"
)

// Compress returns a writer that compresses as the extension of a file says:
// .gz, .zst or .zstd; with another one it writes the text itself. Equal texts
// give equal bytes. Close it to finish.
func Compress(name string, out io.Writer) (io.WriteCloser, error) {
	switch path.Ext(name) {
	case ".gz":
		return gzip.NewWriterLevel(out, gzip.BestCompression)
	case ".zst", ".zstd":
		return writeZstd(out)
	}
	return uncompressed{out}, nil
}

// uncompressed writes a text as it is.
type uncompressed struct{ io.Writer }

// Close has nothing to finish.
func (uncompressed) Close() error { return nil }
