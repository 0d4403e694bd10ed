package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"threeway/merge/disk"
	"threeway/merge/kube/schema"
	"threeway/merge/parallel"
	"threeway/merge/text/phrase"
	"threeway/merge/text/source"
	"threeway/merge/text/visible"
	"threeway/merge/tree"
)

// Options say what to read, and how.
type Options struct {
	// Paths are the values of -f, split at commas: files, directories, globs
	// that name no existing file, and "-" for Stdin.
	Paths []string
	// Recursive also reads the directories inside a directory.
	Recursive bool
	Stdin     io.Reader
	// StdinName is the name of standard input in reports; the default is Stdin.
	StdinName string
	// Instead returns the text to use instead of the file on disk; ok is false
	// if there is none. It may be nil.
	Instead func(file string) (text []byte, ok bool)
	// From returns the files to read instead of a path of a snapshot; ok is false if
	// there are none, and the disk is read. It may be nil. Only ReadSnapshot uses it.
	From func(path string) (files []File, ok bool, err error)
	// Takes reports that a file of a snapshot, of which head is the beginning, is not read as
	// objects and is in Snapshot.Taken; nil takes none. It is called for several files at a time.
	Takes func(name string, head []byte) bool
	// Except reports that a file in a directory is passed over; nil reads all.
	Except func(file string) bool
	// Unvalidated is set if kubectl does not look at documents before it decodes them, as in a
	// diff, and with --validate=ignore. ReadSnapshot never looks.
	Unvalidated bool
	// Kept has what was read before; nil keeps nothing. Only Read uses it.
	Kept *Kept
	Limits
}

// Limits limit memory and cores. The zero value is the default.
type Limits struct {
	// Input is how much of one input may be held in memory.
	Input source.Limit
	// Cores is how many files are read in parallel.
	Cores parallel.Cores
	// Progress counts what is read; nil counts nothing.
	Progress *parallel.Progress
}

// Counted are limits that count what is read.
func Counted() Limits { return Limits{Progress: &parallel.Progress{}} }

// Set is the objects that were read, in the order in which kubectl applies
// them: by path, then file, then document.
type Set struct {
	Objects  []*Object
	Problems []Problem
	// Checked are the documents that kubectl may validate itself (merge/kube/internal/openapi),
	// by their kind. The items of lists are among Objects.
	Checked []*Object
	// Lists are the documents whose items are among Objects.
	Lists []*Object
}

// Read reads manifests as `kubectl apply` does. Whatever kubectl rejects is a
// Problem and not among the Objects. A document that cannot be parsed, or that
// has no kind or apiVersion, also ends the reading of its file. If a path is
// wrong, nothing is read. Call Build on the result.
func Read(opts Options) *Set {
	readers, problems := eachFile(opts, func(r *reader, file string) { r.file(file, opts) })
	set := &Set{Problems: problems}
	for _, r := range readers {
		set.Add(&r.set)
	}
	opts.Kept.take(readers)
	return set
}

// ReadFiles is Read for files whose text is already in memory.
func ReadFiles(files []File, limits Limits) *Set {
	set := &Set{}
	for _, f := range files {
		r := reader{limit: limits.Input}
		r.text(f.Name, source.DecodeText(f.Data))
		set.Add(&r.set)
	}
	return set
}

// IsManifest reports whether a file in a directory is read, by its name.
func IsManifest(name string) bool { return slices.Contains(fileExtensions, filepath.Ext(name)) }

// reader reads one file.
type reader struct {
	set Set
	// live is set for snapshots. They are not validated as kubectl validates
	// manifests, and nested Lists are flattened.
	live bool
	// unvalidated is Options.Unvalidated.
	unvalidated bool
	// limit is how much of one input may be held in memory.
	limit source.Limit
	// lists are the kinds of the lists found, FooList.
	lists []schema.Kind
	// index is the index of a snapshot file, if it could be indexed.
	index fileIndex
	// kept is the file, to be kept; nil if it could not be read.
	kept *keptFile
}

// eachFile reads the files in parallel; the readers are in the order of the
// files.
func eachFile(opts Options, read func(r *reader, file string)) (readers []reader, problems []Problem) {
	files, problems := expand(opts.Paths, opts.Recursive, opts.Except)
	if len(problems) > 0 {
		return nil, problems
	}
	readers = make([]reader, len(files))
	opts.Progress.Files(len(files))
	opts.Cores.Do(len(files), func(i int) {
		read(&readers[i], files[i])
		opts.Progress.Add(1)
	})
	return readers, nil
}

// file reads the documents of one file until one cannot be parsed.
func (r *reader) file(name string, opts Options) {
	data, err := load(name, opts)
	if name == Stdin && opts.StdinName != "" {
		name = opts.StdinName
	}
	if err != nil {
		r.problem(Problem{File: name, Text: err.Error()})
		return
	}
	r.limit, r.unvalidated = opts.Input, opts.Unvalidated
	if opts.Kept == nil {
		r.text(name, source.DecodeText(data))
		return
	}
	if r.kept = opts.Kept.find(name, data, opts); r.kept == nil {
		r.text(name, source.DecodeText(data))
		r.kept = &keptFile{name, data, opts.Input, opts.Unvalidated, r.set}
	}
	r.set = r.kept.copy()
}

// text reads the documents of a text.
func (r *reader) text(name, text string) {
	lost := source.LostLine(text)
	if r.live { // which kubectl does not read
		text, lost = source.Whole(text), ""
		if words := notObjects(text); words != "" {
			r.problem(Problem{File: name, Line: 1, Column: 1, Text: words})
			return
		}
	}
	s := source.NewStream(name, text)
	s.Limit = r.limit
	for s.Next() {
		if s.Value != nil && !r.document(s.Doc, s.Value) {
			r.rest(name, s)
			return
		}
	}
	if s.Failure != nil {
		p := failed(name, s.Failure)
		if r.live {
			p.Text += cutAdvice(p.Text)
		}
		r.problem(p)
	} else if lost != "" && !s.IsJSON {
		r.problem(Problem{Severity: Warning, File: name, Line: strings.Count(text, "\n") + 1, Column: 1,
			Text: fmt.Sprintf("kubectl drops the last line, which has %d bytes and no line break at its end; end the file with a line break", len(lost))})
	}
}

// rest warns of the objects behind a document at which kubectl stops reading.
func (r *reader) rest(name string, s *source.Stream) {
	var objects []string
	line := 0
	for s.Next() {
		if obj, is := s.Value.(tree.Object); is && tree.Has(obj, "kind") {
			o := newObject(s.Doc, nil, obj)
			if objects = append(objects, Title(o.ID().String())); line == 0 {
				line, _, _ = o.Position(nil)
			}
		}
	}
	if objects != nil {
		r.problem(Problem{Severity: Warning, File: name, Line: line, Column: 1, Text: fmt.Sprintf("%s is not applied: kubectl stops reading the file above this line", phrase.Few(objects))})
	}
}

// File is a file as it was read.
type File struct {
	Name string
	Data []byte
}

// Load reads the text of the files that Read would read.
func Load(opts Options) ([]File, error) {
	names, problems := expand(opts.Paths, opts.Recursive, opts.Except)
	if err := Err(problems); err != nil {
		return nil, err
	}
	files := make([]File, len(names))
	for i, name := range names {
		data, err := load(name, opts)
		if err != nil {
			return nil, err
		}
		files[i] = File{name, data}
	}
	return files, nil
}

func load(file string, opts Options) (data []byte, err error) {
	in, text := opts.Stdin, bytes.Buffer{}
	if file != Stdin && opts.Instead != nil {
		if text, ok := opts.Instead(file); ok {
			return text, nil
		}
	}
	switch {
	case file != Stdin:
		f, err := open(file, opts)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			if err := TooLarge(info.Size(), opts.Input); err != nil {
				return nil, err
			}
			text.Grow(int(info.Size()) + bytes.MinRead)
		}
		in = f
	case in == nil:
		return nil, nil
	}
	if _, err = text.ReadFrom(io.LimitReader(in, opts.Input.Bytes()+1)); err != nil {
		return nil, fmt.Errorf("error parsing %s: %w", visible.Line(file), err)
	}
	return text.Bytes(), TooLarge(int64(text.Len()), opts.Input)
}

// open opens a file. A file that was found in a directory must be a regular
// file: reading a pipe or a device might never end.
func open(file string, opts Options) (*os.File, error) {
	info, err := os.Stat(file)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() && !slices.Contains(opts.Paths, file) {
		return nil, errors.New("a pipe or device inside a directory is not read; pass it by name")
	}
	return disk.Open(file)
}

// TooLarge is an error about a size over the limit, otherwise nil.
func TooLarge(size int64, limit source.Limit) error {
	if most := limit.Bytes(); size > most {
		return fmt.Errorf("larger than %d MiB, the limit of THREEWAY_MAX_INPUT; split it, raise the limit, or, for an export, pass it as a file, exactly as kubectl wrote it", most>>20)
	}
	return nil
}

func (r *reader) problem(p Problem) { r.set.Problems = append(r.set.Problems, p) }
