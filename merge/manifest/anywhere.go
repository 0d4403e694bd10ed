package manifest

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"threeway/merge/text/archive"
	"threeway/merge/text/source"
)

// ReadAnywhere is Read for manifests that may also be in archives and compressed
// files. Files in them and in directories that hold no objects are skipped, as
// ReadSnapshot skips them. What a program has exported from a cluster is read as
// ReadSnapshot reads it.
func ReadAnywhere(opts Options) (*Set, []*Gathered) {
	files, problems := expand(opts.Paths, opts.Recursive, opts.Except)
	set := &Set{Problems: problems}
	if len(problems) > 0 {
		return set, nil
	}
	a := &anywhere{opts: opts, set: set}
	for _, path := range opts.Paths {
		if laidOut(slices.Values(files), strings.TrimSuffix(path, "/")+"/") {
			files = slices.DeleteFunc(files, func(name string) bool { return opts.directory(name) == path })
			a.export(Options{Paths: []string{path}, Recursive: opts.Recursive})
		}
	}
	for _, name := range files {
		data, err := load(name, opts)
		if name == Stdin && opts.StdinName != "" {
			name = opts.StdinName
		}
		switch {
		case err != nil:
			set.Problems = append(set.Problems, Problem{File: name, Text: err.Error()})
		case archive.Is(data):
			a.archive(name, data)
		case name == Stdin || slices.Contains(opts.Paths, name):
			a.read(name, data, nil)
		default:
			a.read(name, data, a.gathered(opts.directory(name)))
		}
	}
	return set, slices.DeleteFunc(a.all, func(g *Gathered) bool { return len(g.PassedOver) == 0 })
}

// kindField matches the kind of a manifest, which is broken without apiVersion
// and is reported.
var kindField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|\n|[{,]\s*)"?kind"?\s*:`) })

// onlyExported matches the beginning of what no manifest is: an event of a watch,
// or a Table of the server.
var onlyExported = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(---)?\s*(\{\s*"type"\s*:\s*"(ADDED|MODIFIED|DELETED|BOOKMARK|ERROR)"|type: (ADDED|MODIFIED|DELETED|BOOKMARK|ERROR)\n|object:\n|\{\s*"object"\s*:\s*\{|\{\s*"kind"\s*:\s*"Table")`)
})

// directory is the path of the options that a file was found in.
func (o Options) directory(file string) string {
	for _, path := range o.Paths {
		if strings.HasPrefix(file, strings.TrimSuffix(path, "/")+"/") {
			return path
		}
	}
	return "."
}

// anywhere reads manifests.
type anywhere struct {
	opts Options
	set  *Set
	all  []*Gathered
}

func (a *anywhere) gathered(path string) *Gathered {
	for _, g := range a.all {
		if g.Path == path {
			return g
		}
	}
	a.all = append(a.all, &Gathered{Path: path})
	return a.all[len(a.all)-1]
}

// laidOut reports whether files of a directory are where a program that exports
// objects writes them.
func laidOut(names iter.Seq[string], directory string) bool {
	var g Gathered
	for name := range names {
		if within, ok := strings.CutPrefix(name, directory); ok {
			g.recognise(filepath.ToSlash(within))
		}
	}
	return g.Layout != ""
}

// export reads an export.
func (a *anywhere) export(opts Options) {
	opts.Limits = a.opts.Limits
	s := ReadSnapshot(opts)
	a.set.Objects = slices.AppendSeq(a.set.Objects, s.Objects())
	a.set.Problems = append(a.set.Problems, s.Problems...)
	a.all = append(a.all, s.Gathered...)
}

// archive reads the files in an archive.
func (a *anywhere) archive(label string, data []byte) {
	limit := a.opts.Input.Bytes()
	limits := archive.Limits{Bytes: limit, Held: limit, Entries: maxEntries}
	var names []string
	_ = archive.Walk(bytes.NewReader(data), limits, archive.Visitor{
		File: func(name string, _ []byte, _ io.Reader) error { names = append(names, name); return nil },
		Link: func(string) {},
	})
	if laidOut(slices.Values(names), "") {
		a.export(Options{Paths: []string{"-"}, Stdin: bytes.NewReader(data), StdinName: label})
		return
	}
	g := a.gathered(label)
	err := archive.Walk(bytes.NewReader(data), limits, archive.Visitor{
		File: func(name string, head []byte, text io.Reader) error {
			if name != "" && !holdsObjects(name, head) {
				g.pass(name, NotObjects)
				return nil
			}
			data, err := io.ReadAll(text)
			if err == nil && name == "" {
				a.read(label, data, nil)
			} else if err == nil {
				a.read(label+"/"+name, data, g)
			}
			return err
		},
		Link: func(name string) { g.pass(name, IsLink) },
	})
	if err != nil {
		a.set.Problems = append(a.set.Problems, Problem{File: label, Text: fmt.Sprintf("cannot be unpacked: %v%s", err, cutAdvice(err.Error()))})
	}
}

// read reads one file. g is where it was found among others; nil if it was named.
func (a *anywhere) read(name string, data []byte, g *Gathered) {
	if g != nil && !holdsObjects(name, data) && !kindField().Match(data) {
		g.pass(name, NotObjects)
		return
	}
	text := source.DecodeText(data)
	head := text[:min(len(text), 4<<10)]
	switch {
	case g == nil && foreign(head) != "":
		a.set.Problems = append(a.set.Problems, Problem{File: name, Line: 1, Column: 1, Text: foreign(head)})
		return
	case onlyExported().MatchString(head) || withoutLogs(text) != text:
		a.export(Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), StdinName: name})
		return
	}
	r := reader{limit: a.opts.Input}
	r.text(name, text)
	if g != nil && len(r.set.Objects) == 0 && strings.Contains(text, "{{") {
		g.pass(name, IsTemplate)
		return
	}
	if g != nil {
		g.Files++
		g.Objects += len(r.set.Objects)
	}
	a.set.Objects = append(a.set.Objects, r.set.Objects...)
	a.set.Checked = append(a.set.Checked, r.set.Checked...)
	a.set.Problems = append(a.set.Problems, r.set.Problems...)
}
