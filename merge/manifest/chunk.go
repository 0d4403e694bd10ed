package manifest

import (
	"strings"
	"sync"
	"unicode/utf8"

	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// chunkReader reads a run of objects: the items of a List, or documents.
type chunkReader struct {
	source *sourceFile
	layout source.Layout
	items  bool
	idle   chan *scratch
}

// newChunkReader returns a reader for as many goroutines as there are cores.
func newChunkReader(s *sourceFile, layout source.Layout, items bool) chunkReader {
	r := chunkReader{s, layout, items, make(chan *scratch, s.Cores.Number())}
	for range cap(r.idle) {
		r.idle <- &scratch{}
	}
	return r
}

// scratch is what one goroutine at a time works with.
type scratch struct {
	names   interned
	scratch source.Scratch
}

// chunk is a part of a run that one goroutine reads, up to the first object
// that begins at limit or after it.
type chunk struct {
	start, limit int64
	stop         int64 // after the last object
	lines        int   // between start and stop
	column       int   // of stop, from 1
	documents    int   // that hold something
	entries      []*Entry
	newest       string
	ended        bool // the run ends at stop
	ok           bool
}

// chunkSize is the most that a goroutine reads at a time. Tests make it
// small. A wave reads no more than the run has had so far, so that little is
// read in vain beyond the end of the run.
var chunkSize int64 = 4 << 20

// firstChunk is how much is read before reading in parallel begins.
const firstChunk = 1 << 20

// run reads a run of objects from pos on, several chunks in parallel, and
// moves past it. The start of a chunk is a guess; it is right if the objects
// before it end there. ended is false if there is something other than such an
// object at pos.
func (in *indexer) run(p *part, r chunkReader) (ended, ok bool) {
	cores := r.source.Cores.Number()
	for size, count := min(firstChunk, chunkSize), 1; in.pos < in.source.size; size = min(2*size, chunkSize) {
		for _, st := range r.wave(in.pos, size, count) {
			if st.start != in.pos || !st.ok {
				if in.pos >= st.limit {
					continue
				}
				d := <-r.idle
				st = r.find(d, in.pos, st.limit, false)
				r.idle <- d
			}
			if !st.ok {
				return false, false
			}
			in.take(p, st, r.items)
			if st.ended || st.stop < st.limit {
				return st.ended, true
			}
		}
		if count = cores; size == chunkSize {
			count = 8 * cores
		}
	}
	return true, true
}

// take adds the objects of a chunk.
func (in *indexer) take(p *part, st chunk, items bool) {
	for _, e := range st.entries {
		e.text.line += in.place.line - 1
		if e.text.line == in.place.line {
			e.text.column += in.place.column - 1
		}
		if !items {
			e.text.number += in.number
		}
	}
	if !items {
		in.number += st.documents
	}
	in.place.skip(st.lines, st.column)
	p.entries = append(p.entries, st.entries...)
	in.entries = append(in.entries, st.entries...)
	in.source.Progress.Add(len(st.entries))
	in.newest = max(in.newest, st.newest)
	in.pos = st.stop
}

// wave reads count chunks in parallel, beginning at first.
func (r *chunkReader) wave(first, size int64, count int) []chunk {
	list := make([]chunk, 0, count)
	for start := first; start < r.source.size && len(list) < count; start += size {
		list = append(list, chunk{start: start, limit: min(start+size, r.source.size)})
	}
	var wait sync.WaitGroup
	for i := range list {
		d := <-r.idle
		wait.Go(func() {
			defer func() { r.idle <- d }()
			list[i] = r.find(d, list[i].start, list[i].limit, i > 0)
		})
	}
	wait.Wait()
	return list
}

// find reads the objects between two offsets, the first of which may begin
// after start if that is a guess.
func (r *chunkReader) find(d *scratch, start, limit int64, guess bool) chunk {
	w, err := r.source.window(limit)
	if err != nil {
		return chunk{start: start, limit: limit}
	}
	defer w.close()
	w.lines = r.layout.Form().IsBlock()
	if guess {
		begin := r.guess(w, d, start, limit)
		if begin < 0 {
			return chunk{start: start, limit: limit}
		}
		start = begin
	}
	return r.read(w, d, start, limit)
}

// maxGuesses is how many positions are tried in one chunk. maxGuessed is how
// far an object is read to recognize it.
const (
	maxGuesses = 64
	maxGuessed = 1 << 20
)

// guess returns the offset of something that looks like an object and begins
// between two offsets, or -1.
func (r *chunkReader) guess(w *window, d *scratch, start, limit int64) int64 {
	const overlap = 128 // longer than the searched text
	for range maxGuesses {
		text := w.at(start)
		at := r.layout.Guess(text)
		for at < 0 && len(text) > overlap && start < limit {
			start += int64(len(text) - overlap)
			if text = w.at(start); len(text) <= overlap {
				return -1
			}
			at = r.layout.Guess(text)
		}
		if start += int64(at); at < 0 || start >= limit {
			return -1
		}
		if e, ok := r.item(w, d, start, maxGuessed); ok {
			parts, _ := e.Value.(tree.Object)
			if parts, _ = watched(parts); isObject(parts) {
				return start
			}
		}
		start++
	}
	return -1
}

// isObject reports whether the parts are those of an API object. The items of a
// typed list have no kind.
func isObject(parts tree.Object) bool {
	kind, meta := kindOf(parts), tree.Map(parts, "metadata")
	return meta != nil && (kind.Kind != "" && kind.Version != "" || kind.Kind == "" && kind.Version == "" && tree.String(meta, "uid") != "")
}

// parts returns which parts of an object are kept.
func (r *chunkReader) parts() *source.Keep {
	if r.items {
		return entryParts()
	}
	return documentParts()
}

// item reads the object at an offset, if it has at most that many bytes.
func (r *chunkReader) item(w *window, d *scratch, at, most int64) (e source.Element, ok bool) {
	for {
		text := w.at(at)
		e, ok = r.layout.Item(text, w.last(), r.parts(), &d.scratch)
		if ok && !e.Short || int64(len(text)) >= most || !w.move(at) {
			return e, ok && !e.Short
		}
	}
}

// read reads the objects from start on, up to the first that begins at or after
// limit. Lines and columns count from start.
func (r *chunkReader) read(w *window, d *scratch, start, limit int64) (st chunk) {
	st.start, st.stop, st.limit = start, start, limit
	place := textPlace{1, 1}
	for st.stop < limit && !st.ended {
		e, ok := r.item(w, d, st.stop, maxWindow)
		if !ok {
			return st
		}
		text := w.at(st.stop)
		if !e.Empty {
			parts, _ := e.Value.(tree.Object)
			if parts == nil {
				return st
			}
			event := ""
			if !r.items {
				parts, event = watched(parts)
			}
			if _, list := parts["items"]; list {
				if r.items {
					return st
				}
				break
			}
			if !r.items && event != "BOOKMARK" && event != "ERROR" && !validMetadata(parts) {
				return st
			}
			if r.layout.Form().IsJSON() && !utf8.ValidString(text[:e.Length]) {
				return st
			}
			entry := newEntry(parts)
			if (entry.Kind.Kind == "" || entry.Kind.Version == "") && !(r.items && entry.Kind.Kind == "" && entry.Kind.Version == "" && entry.Name != "") {
				return st
			}
			st.documents++
			entry.event, entry.deleted = event != "", event == "DELETED"
			if !d.names.entry(entry, tree.Map(parts, "metadata", "labels")) {
				return st
			}
			entry.text = &passage{source: r.source, offset: st.stop, length: int64(e.Length), line: place.line, column: place.column, form: r.layout.Form()}
			if !r.items {
				entry.text.number = st.documents
			}
			if event != "BOOKMARK" && event != "ERROR" {
				st.entries = append(st.entries, entry)
			}
			if newest := newestWrite(parts); newest > st.newest {
				st.newest = strings.Clone(newest)
			}
		}
		place.pass(text[:e.Length+e.Gap])
		st.stop += int64(e.Length + e.Gap)
		st.ended = !e.More
	}
	st.lines, st.column, st.ok = place.line-1, place.column, true
	return st
}

// passed returns how many line breaks a text has, and the column after its last
// character.
func passed(text string) (lines, column int) {
	if lines = strings.Count(text, "\n"); lines > 0 {
		text = text[strings.LastIndexByte(text, '\n')+1:]
	}
	return lines, source.Characters(text) + 1
}

// skip moves the place past a text, given its line breaks and the column after
// its last character.
func (p *textPlace) skip(lines, column int) {
	p.line += lines
	if lines > 0 {
		p.column = 1
	}
	p.column += column - 1
}
