package fix

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/text/edit"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// file is a manifest file as it is on disk now.
type file struct {
	name, target string // target is the file behind the links; empty for stdin
	data         []byte
	set          *manifest.Set
	objects      map[passage]*manifest.Object
	lines        []int // offsets of the lines, without a byte order mark
	refusal      error
}

// passage is the text of an object and its position.
type passage struct {
	line int
	text string
}

func (x *Fixer) load(name string) *file {
	f := &file{name: name}
	f.refusal = f.load(x)
	return f
}

func (f *file) load(x *Fixer) (err error) {
	if f.name == manifest.Stdin {
		f.data = []byte(x.stdin())
	} else if f.target, err = locate(f.name, x.Shown); err != nil {
		return err
	} else if f.data, err = x.text(f); err != nil {
		return err
	}
	if !utf8.Valid(f.data) {
		return errors.New("the file is not in UTF-8")
	}
	f.set = read(f.data)
	f.objects = map[passage]*manifest.Object{}
	for _, o := range f.set.Objects {
		if text, line, ok := o.Text(); ok {
			f.objects[passage{line, text}] = o
		}
	}
	f.lines = []int{len(f.data) - len(bytes.TrimPrefix(f.data, []byte("\ufeff")))}
	for i, c := range f.data {
		if c == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return nil
}

func read(data []byte) *manifest.Set {
	return manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: bytes.NewReader(data), Limits: manifest.Limits{Input: source.Accepted}})
}

// now finds the object in the file as it is now; nil if its text has changed.
func (f *file) now(o *manifest.Object) *manifest.Object {
	text, line, _ := o.Text()
	return f.objects[passage{line, text}]
}

// replace returns the replacements of text for the edits of an object.
func (f *file) replace(o *manifest.Object, edits []edit.Edit) ([]lint.Replacement, error) {
	if f.refusal != nil {
		return nil, f.refusal
	}
	text, line, ok := o.Text()
	switch {
	case !ok:
		return nil, errors.New("the item cannot be separated from the rest of its List")
	case f.objects[passage{line, text}] == nil:
		return nil, errors.New("the file has changed since it was read")
	case tree.Has(f.objects[passage{line, text}].Tree, "sops", "mac"):
		return nil, errors.New("SOPS has encrypted the file, and its checksum would not match a change: edit it with sops")
	case o.Origin.Template != "":
		return nil, fmt.Errorf("the manifest was rendered from %s", o.Origin.Template)
	case strings.Contains(text, "{{"):
		return nil, errors.New("the manifest contains {{, like a template")
	}
	for _, e := range edits {
		if o.Kind.GroupKind() == "Secret" && e.Value() != nil && (e.Path[0].Field == "data" || e.Path[0].Field == "stringData") {
			return nil, errors.New("lint --fix does not write values of Secrets")
		}
	}
	list, err := edit.Text(text, edits)
	if err != nil {
		return nil, err
	}
	var out []lint.Replacement
	at, point := 0, lint.Point{Line: line, Column: 1, UTF16: 1}
	to := func(offset int) lint.Point {
		point, at = after(point, text[at:offset]), offset
		return point
	}
	for _, r := range list { // they are in order and do not overlap
		out = append(out, lint.Replacement{Start: to(r.Start), End: to(r.End), Text: r.Text})
	}
	return out, nil
}

// after is the position behind a text that begins at p.
func after(p lint.Point, text string) lint.Point {
	if last := strings.LastIndexByte(text, '\n'); last >= 0 {
		p = lint.Point{Line: p.Line + strings.Count(text, "\n"), Column: 1, UTF16: 1}
		text = text[last+1:]
	}
	for _, r := range text {
		p.Column++
		p.UTF16 += utf16.RuneLen(r)
	}
	return p
}

// apply makes the replacements with the line breaks that the file uses there.
// If the file does not end with a line break, the result does not either.
func (f *file) apply(list []lint.Replacement) []byte {
	data, open, end := f.data, !bytes.HasSuffix(f.data, []byte("\n")), f.lineEnd(len(f.data))
	if open {
		data = append(bytes.Clone(data), end...)
	}
	var edits []edit.Replacement
	offset := f.offsets(data)
	for _, r := range list {
		start := offset(r.Start)
		text := strings.ReplaceAll(strings.ReplaceAll(r.Text, "\r\n", "\n"), "\n", f.lineEnd(start))
		edits = append(edits, edit.Replacement{Start: start, End: offset(r.End), Text: text})
	}
	slices.SortStableFunc(edits, func(a, b edit.Replacement) int { return cmp.Compare(a.Start, b.Start) })
	out := edit.Apply(string(data), edits)
	if trimmed, ok := strings.CutSuffix(out, end); open && ok {
		out = trimmed
	}
	return []byte(out)
}

// offsets tells the offset of a point. It is fast if the points of a line come in order.
func (f *file) offsets(data []byte) func(lint.Point) int {
	var last lint.Point
	at := 0
	return func(p lint.Point) int {
		if p.Line > len(f.lines) {
			return len(data)
		}
		if p.Line != last.Line || p.Column < last.Column {
			at, last = f.lines[p.Line-1], lint.Point{Line: p.Line, Column: 1}
		}
		for ; last.Column < p.Column; last.Column++ {
			_, size := utf8.DecodeRune(data[at:])
			at += size
		}
		return at
	}
}

// lineEnd returns the line break of the line before an offset, or else of the
// first line.
func (f *file) lineEnd(offset int) string {
	line, begins := slices.BinarySearch(f.lines, min(offset, len(f.data)))
	if begins {
		line++
	}
	if line = max(line-1, 1); line >= len(f.lines) {
		return "\n" // it has but one line
	}
	if i := f.lines[line] - 1; i > 0 && f.data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
