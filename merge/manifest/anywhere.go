package manifest

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"threeway/merge/text/archive"
	"threeway/merge/text/source"
)

// ReadAnywhere is Read for manifests that may also be in archives and compressed
// files. Files in them and in directories that hold no objects are skipped, as
// ReadSnapshot skips them.
func ReadAnywhere(opts Options) (*Set, []*Gathered) {
	files, problems := expand(opts.Paths, opts.Recursive, opts.Except)
	set := &Set{Problems: problems}
	if len(problems) > 0 {
		return set, nil
	}
	a := &anywhere{opts: opts, set: set}
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

// archive reads the files in an archive.
func (a *anywhere) archive(label string, data []byte) {
	g := a.gathered(label)
	limit := a.opts.Input.Bytes()
	err := archive.Walk(bytes.NewReader(data), archive.Limits{Bytes: limit, Held: limit, Entries: maxEntries}, archive.Visitor{
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
	r := reader{limit: a.opts.Input}
	text := source.DecodeText(data)
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
