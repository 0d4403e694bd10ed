package manifest

import (
	"strings"
	"sync"
	"unicode/utf8"

	"threeway/merge/schema"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// fileIndex is what one snapshot file holds: a List, whose elements are
// entries, and frame, the text of the List without them.
type fileIndex struct {
	source  *sourceFile // nil if the objects are decoded
	entries []*Entry
	frame   string
	isJSON  bool
	newest  string
}

// stretch is a run of elements that one goroutine reads.
type stretch struct {
	start, stop int64 // of the first element, and after the last one
	lines       int   // between start and stop
	column      int   // of stop, from 1
	entries     []*Entry
	newest      string
	ended       bool // the List ends at stop
	ok          bool
}

// stretchSize is how much a goroutine reads at a time. Tests make it small.
var stretchSize int64 = 8 << 20

// headSize is how far the first element is looked for, and maxTail how much
// may follow the last.
const (
	headSize = 64 << 10
	maxTail  = 1 << 20
)

// index reads a List and tells its elements apart without decoding them. It is
// not ok if the file is anything else, or out of the ordinary: then the general
// reader must have it.
func (s *sourceFile) index() (x fileIndex, ok bool) {
	w, err := s.window()
	if err != nil {
		return x, false
	}
	defer w.close()
	begin := w.at(0)
	for len(begin) < headSize && w.move(0) {
		begin = w.at(0)
	}
	begin = begin[:min(len(begin), headSize)]
	l, isJSON := source.LayoutOf(begin, s.Input)
	x.source, x.isJSON = s, isJSON
	first, ok := l.Head(begin)
	if !ok {
		return x, false
	}
	head := strings.Clone(begin[:first])
	place := newPlace(head)
	r := stretchReader{source: s, layout: l, isJSON: x.isJSON}
	stop := int64(first)
	for _, st := range r.stretches(int64(first)) {
		// What was guessed to be an element is one if the elements before it
		// end there.
		if st.start != stop || !st.ok {
			if stop >= st.limit {
				continue
			}
			st.stretch = r.read(stop, st.limit)
		}
		if !st.ok {
			return x, false
		}
		for _, e := range st.entries {
			e.text.line += place.line - 1
			if e.text.line == place.line {
				e.text.column += place.column - 1
			}
		}
		place.skip(st.lines, st.column)
		x.entries = append(x.entries, st.entries...)
		x.newest = max(x.newest, st.newest)
		stop = st.stop
		if st.ended {
			tail := w.at(stop)
			if s.size-stop > maxTail || !utf8.ValidString(head) {
				return x, false
			}
			for len(tail) < int(s.size-stop) {
				if !w.move(stop) {
					return x, false
				}
				tail = w.at(stop)
			}
			x.frame = head + tail
			return x, true
		}
	}
	return x, false
}

// framed reports whether what is around the elements is a List: an indented line
// before "items:" begins another document, to the parser of all YAML.
func (x fileIndex) framed() bool {
	stream := source.NewStream(x.source.file, source.Whole(x.frame))
	stream.Limit = x.source.Input
	if !stream.Next() {
		return false
	}
	list, _ := stream.Value.(tree.Object)
	_, hasItems := list["items"]
	return hasItems && tree.String(list, "kind") != ""
}

// textPlace is a line and column of a file, both from 1.
type textPlace struct{ line, column int }

func newPlace(before string) textPlace {
	p := textPlace{1, 1}
	p.pass(before)
	return p
}

// pass moves the place past a text.
func (p *textPlace) pass(text string) {
	lines := strings.Count(text, "\n")
	p.skip(lines, utf8.RuneCountInString(text[strings.LastIndexByte(text, '\n')+1:])+1)
}

// skip moves the place past a text of so many lines that ends before a column
// of its last line.
func (p *textPlace) skip(lines, column int) {
	p.line += lines
	if lines > 0 {
		p.column = 1
	}
	p.column += column - 1
}

// stretchReader reads the elements of a List.
type stretchReader struct {
	source *sourceFile
	layout source.Layout
	isJSON bool
}

// limited is a stretch and where it should end: before the first element that
// begins at limit or after it.
type limited struct {
	stretch
	limit int64
}

// stretches reads all elements from the first one on, several at a time. Where a
// stretch begins is guessed.
func (r *stretchReader) stretches(first int64) []limited {
	size := r.source.size
	list := make([]limited, max(1, (size-first)/stretchSize))
	turns := make(chan struct{}, r.source.Cores.Number())
	var wait sync.WaitGroup
	for i := range list {
		start := first + int64(i)*stretchSize
		list[i].limit = start + stretchSize
		if i == len(list)-1 {
			list[i].limit = size
		}
		turns <- struct{}{}
		wait.Go(func() {
			defer func() { <-turns }()
			if i > 0 {
				start = r.guess(start, list[i].limit)
			}
			if start >= 0 {
				list[i].stretch = r.read(start, list[i].limit)
			}
		})
	}
	wait.Wait()
	return list
}

// guess finds what looks like an element that begins between two offsets, or
// returns -1.
func (r *stretchReader) guess(start, limit int64) int64 {
	w, err := r.source.window()
	if err != nil {
		return -1
	}
	defer w.close()
	const before = 64 // what is before an element helps to know it
	for start < limit {
		text := w.at(start - before)
		if at := r.layout.Guess(text); at >= before {
			return start - before + int64(at)
		}
		if len(text) <= 2*before {
			break
		}
		start += int64(len(text)) - 2*before
	}
	return -1
}

// read reads the elements from one on up to the first that begins at limit or
// after it. Lines and columns count from start.
func (r *stretchReader) read(start, limit int64) (st stretch) {
	st.start, st.stop = start, start
	w, err := r.source.window()
	if err != nil {
		return st
	}
	defer w.close()
	place, names := textPlace{1, 1}, interned{}
	for st.stop < limit && !st.ended {
		text := w.at(st.stop)
		e, ok := r.layout.Item(text, w.last(), entryParts())
		if (!ok || e.Short) && w.move(st.stop) {
			continue
		}
		if !ok || e.Short || !utf8.ValidString(text[:e.Length]) {
			return st
		}
		parts, _ := e.Value.(tree.Object)
		if _, list := parts["items"]; list || parts == nil {
			return st
		}
		entry := newEntry(parts)
		if entry.Kind.Kind == "" || entry.Kind.Version == "" {
			return st
		}
		names.entry(entry)
		entry.text = &passage{source: r.source, offset: st.stop, length: int64(e.Length), line: place.line, column: place.column, isJSON: r.isJSON}
		st.entries = append(st.entries, entry)
		if newest := newestWrite(parts); newest > st.newest {
			st.newest = strings.Clone(newest)
		}
		place.pass(text[:e.Length+e.Gap])
		st.stop += int64(e.Length + e.Gap)
		st.ended = !e.More
	}
	st.lines, st.column, st.ok = place.line-1, place.column, true
	return st
}

// interned holds one copy of each text, so that entries do not keep the text
// of the file in memory.
type interned map[string]string

func (n interned) text(s string) string {
	known, ok := n[s]
	if !ok {
		known = strings.Clone(s)
		n[known] = known
	}
	return known
}

func (n interned) entry(e *Entry) {
	e.Kind = schema.Kind{Group: n.text(e.Kind.Group), Version: n.text(e.Kind.Version), Kind: n.text(e.Kind.Kind)}
	e.Namespace = n.text(e.Namespace)
	labels := make(tree.Object, len(e.Labels))
	for key, value := range e.Labels {
		if text, ok := value.(string); ok {
			value = n.text(text)
		}
		labels[n.text(key)] = value
	}
	e.Labels = labels
	e.Name, e.UID = strings.Clone(e.Name), strings.Clone(e.UID)
	for i := range e.Owners {
		e.Owners[i] = n.text(e.Owners[i])
	}
}
