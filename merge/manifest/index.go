package manifest

import (
	"strings"

	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// fileIndex lists the contents of one snapshot file, in the order of the file.
type fileIndex struct {
	source *sourceFile // nil if the objects are decoded
	parts  []part
	// entries are the entries of all parts.
	entries []*Entry
	newest  string
}

// part is a List without its items, or a run of documents that are not Lists.
type part struct {
	entries []*Entry
	// frame is the text of the List without its items, or of a document that
	// must be decoded as a whole. It is empty for a run of documents and for a
	// bare list.
	frame string
	place textPlace // of frame
	// number is the position of the List among the documents of the file.
	number int
	form   source.Form
	whole  bool // frame is all of the document
}

// headSize is how far to search for the first item of a List. maxWhole limits
// the size of the rest of a List, and of a document that is decoded as a whole.
const (
	headSize = 64 << 10
	maxWhole = 4 << 20
)

// indexer walks through a file, from one List or run of documents to the next.
type indexer struct {
	fileIndex
	window *window
	pos    int64
	place  textPlace // of pos
	number int       // of non-empty documents before pos
}

// index finds where each object of a file begins and ends, without decoding it.
// ok is false if the file contains anything else or has an unusual form; then
// the general reader must read it.
func (s *sourceFile) index() (x fileIndex, ok bool) {
	w, err := s.window(s.size)
	if err != nil {
		return x, false
	}
	defer w.close()
	in := indexer{fileIndex: fileIndex{source: s}, window: w, place: textPlace{1, 1}}
	for in.pos < s.size {
		begin := in.text(headSize)
		if strings.Trim(begin, " \t\r\n") == "" {
			in.move(begin)
			continue
		}
		if list, found := source.FindList(begin, s.Input); found {
			ok = in.list(list, strings.Clone(begin[:list.First]))
		} else {
			layout := source.Documents(begin, s.Input)
			if layout.Form().IsJSON() {
				in.move(begin[:strings.IndexByte(begin, '{')])
			}
			ok = in.documents(layout)
		}
		if !ok {
			return x, false
		}
	}
	return in.fileIndex, len(in.parts) > 0
}

// text returns up to size bytes at pos.
func (in *indexer) text(size int) string {
	text := in.window.at(in.pos)
	for len(text) < size && in.window.move(in.pos) {
		text = in.window.at(in.pos)
	}
	return text[:min(len(text), size)]
}

// move moves past the text at pos.
func (in *indexer) move(text string) {
	in.place.pass(text)
	in.pos += int64(len(text))
}

// list indexes the List at pos, which begins with head.
func (in *indexer) list(list source.List, head string) bool {
	p := part{place: in.place, form: list.Form()}
	in.number++
	p.number = in.number
	in.move(head)
	if ended, ok := in.run(&p, newChunkReader(in.source, list.Layout, true)); !ok || !ended {
		return false
	}
	var tail string
	if list.Bare {
		tail = strings.TrimLeft(strings.TrimPrefix(in.text(headSize), "]"), " \t\r\n")
		in.pos = in.source.size
		in.parts = append(in.parts, p)
		return tail == ""
	}
	for size := headSize; ; size *= 8 {
		tail = in.text(size)
		length, ok := list.Tail(tail, in.window.last() && in.pos+int64(len(tail)) == in.source.size)
		if !ok || length < 0 && size > maxWhole {
			return false
		}
		if length >= 0 {
			tail = tail[:length]
			break
		}
	}
	p.frame = head + tail
	in.move(tail)
	in.parts = append(in.parts, p)
	return in.separator(p.form)
}

// separator moves past the text between two documents.
func (in *indexer) separator(form source.Form) bool {
	if form.IsJSON() {
		return true // white space
	}
	for {
		line, _, _ := strings.Cut(in.text(headSize), "\n")
		rest := strings.TrimRight(line, " \r")
		if rest != "" && rest != "---" || in.pos == in.source.size {
			return true
		}
		in.move(in.text(len(line) + 1))
		if rest == "---" {
			return true
		}
	}
}

// documents indexes the documents at pos, up to the next List. A List that
// FindList does not recognize, such as an empty one, is read as a whole.
func (in *indexer) documents(layout source.Layout) bool {
	p := part{place: in.place, form: layout.Form()}
	before := in.pos
	ended, ok := in.run(&p, newChunkReader(in.source, layout, false))
	if !ok {
		return false
	}
	if len(p.entries) > 0 {
		in.parts = append(in.parts, p)
	}
	return ended || in.pos > before || in.document(layout)
}

// document decodes the document at pos as a whole.
func (in *indexer) document(layout source.Layout) bool {
	for size := headSize; size <= maxWhole; size *= 8 {
		text := in.text(size)
		e, ok := layout.Item(text, in.pos+int64(len(text)) == in.source.size, nil, new(source.Scratch))
		if !ok || e.Short {
			continue
		}
		in.number++
		in.parts = append(in.parts, part{frame: strings.Clone(text[:e.Length]), place: in.place, number: in.number, form: layout.Form(), whole: true})
		in.move(text[:e.Length+e.Gap])
		return true
	}
	return false
}

// decode decodes the frame of a part. The text around the items of a List must
// be a List. For the general YAML parser, an indented line before "items:"
// begins another document.
func (p part) decode(file string, limit source.Limit) (doc *source.Document, list tree.Object, ok bool) {
	stream := source.NewStream(file, source.Whole(p.frame))
	stream.Limit = limit
	for stream.Next() {
		if obj, isObject := stream.Value.(tree.Object); isObject && !ok && stream.IsJSON == p.form.IsJSON() && stream.Doc.Duplicates == nil {
			doc, list, ok = stream.Doc, obj, true
			doc.Number = p.number
			if doc.Line == 1 {
				doc.Column += p.place.column - 1
			}
			doc.Line += p.place.line - 1
		} else if stream.Value != nil {
			return nil, nil, false
		}
	}
	return doc, list, ok && stream.Failure == nil
}

// textPlace is a line and column of a file, both from 1.
type textPlace struct{ line, column int }

// pass moves the place past a text.
func (p *textPlace) pass(text string) { p.skip(passed(text)) }
