package manifest

import (
	"strings"
	"sync"
	"unicode/utf8"

	"threeway/merge/schema"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// stretchReader reads a run of objects: the items of a List, or documents.
type stretchReader struct {
	source *sourceFile
	layout source.Layout
	items  bool
}

// stretch is a part of a run that one goroutine reads, up to the first object
// that begins at limit or after it.
type stretch struct {
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

// stretchSize is how much a goroutine reads at a time, at most. Tests make it
// small. What is read at once is no more than what the run had before, so that
// little is read in vain after its end.
var stretchSize int64 = 8 << 20

// firstStretch is how much is read before anything is read side by side.
const firstStretch = 1 << 20

// run reads a run of objects from pos on, several at a time, and moves past it. Where a
// stretch begins is guessed: it is right if the objects before it end there. ended
// is false if something that is no such object is at pos.
func (in *indexer) run(p *part, r stretchReader) (ended, ok bool) {
	cores := r.source.Cores.Number()
	for size, count := min(firstStretch, stretchSize), 1; in.pos < in.source.size; size = min(2*size, stretchSize) {
		for _, st := range r.wave(in.pos, size, count) {
			if st.start != in.pos || !st.ok {
				if in.pos >= st.limit {
					continue
				}
				st = r.read(in.pos, st.limit)
			}
			if !st.ok {
				return false, false
			}
			in.take(p, st, r.items)
			if st.ended || st.stop < st.limit {
				return st.ended, true
			}
		}
		if count = cores; size == stretchSize {
			count = 4 * cores
		}
	}
	return true, true
}

// take adds what a stretch holds.
func (in *indexer) take(p *part, st stretch, items bool) {
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
	in.newest = max(in.newest, st.newest)
	in.pos = st.stop
}

// wave reads so many stretches side by side, from one on.
func (r *stretchReader) wave(first, size int64, count int) []stretch {
	list := make([]stretch, 0, count)
	for start := first; start < r.source.size && len(list) < count; start += size {
		list = append(list, stretch{start: start, limit: min(start+size, r.source.size)})
	}
	var wait sync.WaitGroup
	turns := make(chan struct{}, r.source.Cores.Number())
	for i := range list {
		turns <- struct{}{}
		wait.Go(func() {
			defer func() { <-turns }()
			start, limit := list[i].start, list[i].limit
			if i > 0 {
				start = r.guess(start, limit)
			}
			if start >= 0 {
				list[i] = r.read(start, limit)
			}
			list[i].limit = limit
		})
	}
	wait.Wait()
	return list
}

// maxGuesses is how often an object is looked for in one stretch, and maxGuessed
// how far one is read to know it.
const (
	maxGuesses = 64
	maxGuessed = 4 << 20
)

// guess finds what looks like an object that begins between two offsets, or
// returns -1: it has what only an object has.
func (r *stretchReader) guess(start, limit int64) int64 {
	w, err := r.source.window()
	if err != nil {
		return -1
	}
	defer w.close()
	const overlap = 128 // longer than what is looked for
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
		if e, ok := r.item(w, start, maxGuessed); ok {
			parts, _ := e.Value.(tree.Object)
			if parts, _ = watched(parts); isObject(parts) {
				return start
			}
		}
		start++
	}
	return -1
}

// isObject reports whether an object of the API is told by its parts. Those of
// a typed list have no kind.
func isObject(parts tree.Object) bool {
	kind, meta := kindOf(parts), tree.Map(parts, "metadata")
	return meta != nil && (kind.Kind != "" && kind.Version != "" || kind.Kind == "" && kind.Version == "" && tree.String(meta, "uid") != "")
}

// parts are what is kept of an object.
func (r *stretchReader) parts() *source.Keep {
	if r.items {
		return entryParts()
	}
	return documentParts()
}

// item reads the object at an offset, if it is not longer than most.
func (r *stretchReader) item(w *window, at, most int64) (e source.Element, ok bool) {
	for {
		text := w.at(at)
		e, ok = r.layout.Item(text, w.last(), r.parts())
		if ok && !e.Short || int64(len(text)) >= most || !w.move(at) {
			return e, ok && !e.Short
		}
	}
}

// read reads the objects from one on up to the first that begins at limit or
// after it. Lines and columns count from start.
func (r *stretchReader) read(start, limit int64) (st stretch) {
	st.start, st.stop, st.limit = start, start, limit
	w, err := r.source.window()
	if err != nil {
		return st
	}
	defer w.close()
	place, names := textPlace{1, 1}, interned{}
	for st.stop < limit && !st.ended {
		e, ok := r.item(w, st.stop, maxWindow)
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
			names.entry(entry)
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

// passed counts the lines of a text, and says before which column of its last
// line it ends.
func passed(text string) (lines, column int) {
	return strings.Count(text, "\n"), utf8.RuneCountInString(text[strings.LastIndexByte(text, '\n')+1:]) + 1
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
