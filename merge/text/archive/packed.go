//go:build !js

package archive

import (
	"io"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

func readZstd(in io.Reader) (io.ReadCloser, error) {
	z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}

func writeZstd(out io.Writer) (io.WriteCloser, error) {
	return zstd.NewWriter(out, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression))
}

// pack and unpack are what a Store does with its chunks.
func pack(text []byte) []byte { return s2.Encode(nil, text) }

func unpack(chunk []byte) ([]byte, error) { return s2.Decode(nil, chunk) }
