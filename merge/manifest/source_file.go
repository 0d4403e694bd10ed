package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"threeway/merge/text/archive"
	"threeway/merge/text/source"
	"threeway/merge/text/visible"
)

// sourceFile is a snapshot file whose parts are read when they are needed.
// Small files are held in memory.
type sourceFile struct {
	file     string
	text     string // of a file held in memory
	held     bool
	size     int64
	modified time.Time
	Limits
	// store has the unpacked text of a file from an archive, beginning at base.
	store *archive.Store
	base  int64

	// shared is what its objects have in common; nil if nothing is remembered.
	shared *source.Shared

	mutex  sync.Mutex
	failed error
}

// maxHeld is how much of all snapshot files together may be held in memory.
const maxHeld = 32 << 20

var errChanged = errors.New("the file changed while it was read; run the command again")

// openSource opens a file. It holds the text in memory if there is room for it,
// which held counts, or if the file can be read only once; then in is its text.
func openSource(name string, opts Options, in io.Reader, held *atomic.Int64) (*sourceFile, error) {
	s := &sourceFile{file: name, Limits: opts.Limits, shared: source.NewShared()}
	if in == nil {
		f, err := open(name, opts)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return nil, err
		}
		s.size, s.modified = info.Size(), info.ModTime()
		if held.Add(s.size) > maxHeld {
			held.Add(-s.size)
			return s, nil
		}
		in = f
	}
	var b bytes.Buffer
	b.Grow(int(s.size) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(in, s.Input.Bytes()+1)); err != nil {
		return nil, fmt.Errorf("error parsing %s: %w", visible.Line(name), err)
	}
	if err := TooLarge(int64(b.Len()), s.Input); err != nil {
		return nil, err
	}
	s.text, s.held, s.size = unsafe.String(unsafe.SliceData(b.Bytes()), b.Len()), true, int64(b.Len())
	return s, nil
}

// read returns a part of the text. With room, which is for the text, it is valid until the
// room is used again.
func (s *sourceFile) read(offset, length int64, room *[]byte) (string, error) {
	if s.held {
		return s.text[offset : offset+length], nil
	}
	if s.store != nil {
		b := make([]byte, length)
		_, err := s.store.ReadAt(b, s.base+offset)
		return string(b), err
	}
	f, err := os.Open(s.file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() != s.size || !info.ModTime().Equal(s.modified) {
		return "", errors.Join(err, errChanged)
	}
	if room == nil {
		room = new([]byte)
	}
	*room = slices.Grow((*room)[:0], int(length))
	b := (*room)[:length]
	if _, err := f.ReadAt(b, offset); err != nil {
		return "", errors.Join(err, errChanged)
	}
	return unsafe.String(unsafe.SliceData(b), length), nil
}

// unchanged opens the file if it is as it was when it was indexed, else it is nil.
func (s *sourceFile) unchanged() *os.File {
	f, err := os.Open(s.file)
	if err != nil {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Size() != s.size || !info.ModTime().Equal(s.modified) {
		f.Close()
		return nil
	}
	return f
}

// whole returns all of the text, or an error if it is larger than the limit.
func (s *sourceFile) whole() (string, error) {
	if err := TooLarge(s.size, s.Input); err != nil {
		return "", err
	}
	return s.read(0, s.size, nil)
}

// fail remembers the first failure to read a part.
func (s *sourceFile) fail(err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.failed == nil {
		s.failed = err
	}
}

func (s *sourceFile) failure() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.failed
}
