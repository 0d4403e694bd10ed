package manifest

import (
	"io"
	"os"
	"strings"
	"sync"
	"unsafe"
)

// window is a part of a source. It moves forward and reuses its memory.
type window struct {
	source *sourceFile
	file   *os.File // nil for a source held in memory
	buffer []byte
	from   int64 // the offset of the text
	text   string
	// limit is where reading ends, but for what an object has after it.
	limit int64
	// lines says that a text ends with a line, if it has one.
	lines bool
}

// windowSize is how much is read at a time. Tests make it small.
var windowSize int64 = 2 << 20

// windowRest is how much is read after the limit at once: most objects have
// less.
const windowRest = 32 << 10

// maxWindow is larger than any object that a cluster stores.
const maxWindow = 64 << 20

func (s *sourceFile) window(limit int64) (*window, error) {
	w := &window{source: s, text: s.text, limit: limit}
	if s.held || s.store != nil {
		return w, nil
	}
	var err error
	w.file, err = os.Open(s.file)
	return w, err
}

func (w *window) close() {
	if w.file != nil {
		w.file.Close()
	}
	if buffer := w.buffer; int64(len(buffer)) == windowSize {
		buffers.Put(&buffer)
	}
	w.buffer, w.text = nil, ""
}

// buffers are the buffers of closed windows.
var buffers sync.Pool

// last reports whether the window reaches the end of the source.
func (w *window) last() bool { return w.from+int64(len(w.text)) == w.source.size }

// move makes the window begin at an offset and extends it; it reports whether
// there is more text. The old text is overwritten, so nothing may refer to it
// any more.
func (w *window) move(offset int64) bool {
	had := w.from + int64(len(w.text)) - offset
	if w.source.held || offset+had >= w.source.size || had >= maxWindow {
		return false
	}
	size := min(windowSize, max(w.limit-offset, 0)+windowRest)
	if had > 0 {
		size = max(size, 2*had)
	}
	if size = min(size, w.source.size-offset); int64(len(w.buffer)) < size {
		w.buffer = newBuffer(size)
	}
	n, err := w.source.readAt(w.file, w.buffer[:size], offset)
	if err != nil && (err != io.EOF || int64(n) < size) {
		return false
	}
	// The parsers take strings; to copy each window into one would take a
	// third of the time that parsing it does.
	w.from, w.text = offset, unsafe.String(&w.buffer[0], n)
	if w.lines && !w.last() {
		if end := strings.LastIndexByte(w.text, '\n') + 1; int64(end) > had {
			w.text = w.text[:end]
		}
	}
	return true
}

// readAt reads from the store, or from the file.
func (s *sourceFile) readAt(file *os.File, p []byte, offset int64) (int, error) {
	if s.store != nil {
		return s.store.ReadAt(p, s.base+offset)
	}
	return file.ReadAt(p, offset)
}

// newBuffer returns a buffer of at least size bytes.
func newBuffer(size int64) []byte {
	if size <= windowSize {
		if b, ok := buffers.Get().(*[]byte); ok && int64(len(*b)) == windowSize {
			return *b
		}
		size = windowSize
	}
	return make([]byte, size)
}

// at returns the text from an offset on, which is empty only at the end of the
// source. It moves the window if needed.
func (w *window) at(offset int64) string {
	if end := w.from + int64(len(w.text)); offset < w.from || offset >= end {
		w.from, w.text = offset, ""
		w.move(offset)
	}
	return w.text[offset-w.from:]
}
