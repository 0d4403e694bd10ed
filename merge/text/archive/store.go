package archive

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// Store holds text that can be read only once. It compresses the text in chunks
// that can be read independently. Write to it, Close it, then read from it,
// also from several goroutines.
type Store struct {
	chunks  [][]byte
	pending []byte
	size    int64
	most    int64

	encoding sync.WaitGroup
	turns    chan struct{}
	mutex    sync.Mutex
	held     int64 // size of the chunks
	cached   map[int][]byte
}

const (
	chunkSize = 128 << 10
	// maxCached is how many chunks are kept uncompressed, so that objects next
	// to each other are read faster.
	maxCached = 16
)

// NewStore returns an empty store that may use most bytes of memory, and
// compresses on a number of cores.
func NewStore(most int64, cores int) *Store {
	return &Store{most: most, turns: make(chan struct{}, cores), cached: map[int][]byte{}}
}

// Size returns how much text is in the store.
func (s *Store) Size() int64 { return s.size }

// Write appends a text.
func (s *Store) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if s.pending == nil {
			s.pending = make([]byte, 0, chunkSize)
		}
		took := min(len(p), chunkSize-len(s.pending))
		s.pending, p = append(s.pending, p[:took]...), p[took:]
		s.size += int64(took)
		if len(s.pending) == chunkSize {
			if err := s.encode(); err != nil {
				return n - len(p), err
			}
		}
	}
	return n, nil
}

// Close ends writing.
func (s *Store) Close() error {
	err := s.encode()
	s.encoding.Wait()
	return err
}

// encode compresses the current chunk.
func (s *Store) encode() error {
	text := s.pending
	if s.pending = nil; len(text) == 0 {
		return nil
	}
	s.mutex.Lock()
	at, over := len(s.chunks), s.held > s.most
	s.chunks = append(s.chunks, nil)
	s.mutex.Unlock()
	if over {
		return fmt.Errorf("the archive needs more than %d MiB of memory even compressed; unpack it and pass the directory, or raise THREEWAY_MAX_INPUT", s.most>>20)
	}
	s.turns <- struct{}{}
	s.encoding.Go(func() {
		defer func() { <-s.turns }()
		chunk := bytes.Clone(pack(text))
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.chunks[at] = chunk
		s.held += int64(len(chunk))
	})
	return nil
}

// ReadAt reads the text from an offset on.
func (s *Store) ReadAt(p []byte, offset int64) (n int, err error) {
	for n < len(p) {
		at := int(offset / chunkSize)
		if offset >= s.size || at >= len(s.chunks) {
			return n, io.EOF
		}
		chunk, err := s.chunk(at)
		if err != nil {
			return n, err
		}
		took := copy(p[n:], chunk[offset%chunkSize:])
		n += took
		offset += int64(took)
	}
	return n, nil
}

// Reader reads all of the text.
func (s *Store) Reader() io.Reader { return io.NewSectionReader(s, 0, s.size) }

// chunk returns the text of a chunk.
func (s *Store) chunk(at int) ([]byte, error) {
	s.mutex.Lock()
	text := s.cached[at]
	s.mutex.Unlock()
	if text != nil {
		return text, nil
	}
	text, err := unpack(s.chunks[at])
	if err != nil {
		return nil, err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.cached) >= maxCached {
		clear(s.cached)
	}
	s.cached[at] = text
	return text, nil
}
