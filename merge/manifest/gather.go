package manifest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"threeway/merge/disk"
	"threeway/merge/fault"
	"threeway/merge/text/archive"
	"threeway/merge/text/source"
	"threeway/merge/text/visible"
)

// Gathered says what a snapshot read from one archive or directory that also
// has other files.
type Gathered struct {
	Path string
	// Layout is the program that made it: must-gather, Velero backup …; "" if
	// unknown.
	Layout string
	// Objects is how many objects were read, from Files files. An object that a
	// Velero backup has in several versions counts once.
	Objects, Files int
	preferred      bool // only those in their preferred version count
	// PassedOver counts the files that were skipped, by reason. Names has the
	// first maxNamed of them.
	PassedOver map[Reason]int
	Names      []PassedOver
}

// PassedOver is a file that was skipped.
type PassedOver struct {
	Name   string
	Reason Reason
}

// Reason says why a file was skipped.
type Reason string

// The reasons for skipping a file.
const (
	NotObjects Reason = "no Kubernetes objects"
	IsLink     Reason = "link or device"
	IsTemplate Reason = "template that is not rendered"
	IsUntyped  Reason = "list without a kind"
)

// add adds a file of a directory.
func (g *Gathered) add(name string, t taken) {
	g.recognise(filepath.ToSlash(name))
	if t.passed != "" {
		g.pass(name, t.passed)
		return
	}
	g.Files++
	for _, r := range t.readers {
		g.count(r)
	}
}

// count counts the objects of a file.
func (g *Gathered) count(r reader) {
	for _, e := range r.index.entries {
		switch {
		case e.preferred && !g.preferred:
			g.preferred, g.Objects = true, 1
		case e.preferred == g.preferred:
			g.Objects++
		}
	}
}

// maxNamed is how many skipped files are named at most.
const maxNamed = 1000

func (g *Gathered) pass(name string, why Reason) {
	if g.PassedOver == nil {
		g.PassedOver = map[Reason]int{}
	}
	g.PassedOver[why]++
	if len(g.Names) < maxNamed {
		g.Names = append(g.Names, PassedOver{name, why})
	}
}

// preferredVersion is in the path of an object in a Velero backup if the object
// has the version that the cluster preferred. The same object is also there in
// other versions.
const preferredVersion = "-preferredversion/"

// gatherer reads the files of a snapshot.
type gatherer struct {
	opts Options
	held atomic.Int64 // bytes of files held in memory
}

// taken is the result of reading one file.
type taken struct {
	readers  []reader
	gathered *Gathered // of an archive
	passed   Reason    // "" if it was read
	server   ServerVersion
	file     *Taken // if Options.Takes takes it
}

// Taken is a file of a snapshot that is not read as objects.
type Taken struct {
	Name string
	// Found: in a directory that was named.
	Found bool
	Load  func() ([]byte, error)
}

// label is the name of a file in reports.
func (g *gatherer) label(f liveFile) string {
	if f.name == Stdin && g.opts.StdinName != "" {
		return g.opts.StdinName
	}
	return f.name
}

// take reads one file.
func (g *gatherer) take(f liveFile) taken {
	in, once, err := g.open(f)
	if err != nil {
		if f.folder != "" && in == nil {
			return taken{passed: IsLink}
		}
		return unread(f.name, err)
	}
	if in == nil {
		return taken{}
	}
	defer in.Close()
	text := bufio.NewReader(in)
	head, err := text.Peek(text.Size())
	switch {
	case err != nil && err != io.EOF:
		return unread(f.name, fmt.Errorf("error parsing %s: %w", visible.Line(f.name), err))
	case archive.Is(head):
		return g.archive(f, text)
	case g.opts.Takes != nil && g.opts.Takes(f.name, head):
		return taken{file: &Taken{Name: g.label(f), Found: f.folder != "", Load: func() ([]byte, error) { return g.load(f) }}}
	case f.folder == "" && foreign(source.DecodeText(head)) != "":
		r := reader{}
		r.problem(Problem{File: g.label(f), Line: 1, Column: 1, Text: foreign(source.DecodeText(head))})
		return taken{readers: []reader{r}}
	case serverVersion(head) != "":
		return taken{server: told(serverVersion(head), g.label(f))}
	case f.folder != "" && (!holdsObjects(f.name, head) || g.opts.Takes != nil && filepath.Ext(f.name) != "" && !IsManifest(f.name)):
		return taken{passed: NotObjects}
	}
	var rest io.Reader
	if once {
		rest = text
	}
	s, err := openSource(g.label(f), g.opts, rest, &g.held)
	if err != nil {
		return unread(f.name, err)
	}
	r := reader{live: true, limit: g.opts.Input}
	why := r.dump(s, f.folder != "")
	return taken{readers: []reader{r}, passed: why, server: told(commentedVersion(head), g.label(f))}
}

// load reads all of a file, of the disk or given.
func (g *gatherer) load(f liveFile) ([]byte, error) {
	if f.given {
		return f.data, nil
	}
	return load(f.name, g.opts)
}

func unread(name string, err error) taken {
	r := reader{}
	r.problem(Problem{File: name, Text: err.Error()})
	return taken{readers: []reader{r}}
}

// open opens a file. once reports that it can be read only once. A broken link
// or a device that was found in a directory is an error, and in is nil.
func (g *gatherer) open(f liveFile) (in io.ReadCloser, once bool, err error) {
	if f.name == Stdin {
		if g.opts.Stdin == nil {
			return nil, false, nil
		}
		return io.NopCloser(g.opts.Stdin), true, nil
	}
	if f.given {
		return io.NopCloser(bytes.NewReader(f.data)), true, nil
	}
	info, err := os.Stat(f.name)
	if err == nil && f.folder != "" && !info.Mode().IsRegular() {
		err = errors.New("no file")
	}
	if err != nil {
		return nil, false, err
	}
	file, err := disk.Open(f.name)
	if err != nil {
		return io.NopCloser(nil), false, err
	}
	return file, !info.Mode().IsRegular(), nil
}

// holdsObjects reports, by name and first bytes, whether a file in a directory
// contains objects. Error messages of kubectl count too, so that they are
// reported and not skipped.
func holdsObjects(name string, head []byte) bool {
	if slices.Contains([]string{".log", ".html", ".md", ".sh", ".tpl"}, filepath.Ext(name)) {
		return false
	}
	text := source.DecodeText(head)
	return !isBinary(text) && (versionField.MatchString(text) || typedList(name) != nil || IsManifest(name) && notObjects(text) != "")
}

// versionField matches the field that every object has, in JSON or YAML.
var versionField = regexp.MustCompile(`(^|[\n{,])[ \r\n\t-]*"?apiVersion"?\s*:`)

// maxExpansion limits the unpacked size of an archive, as a multiple of what
// may be held in memory. maxEntries limits its entries.
const (
	maxExpansion = 16
	maxEntries   = 500_000
)

// archive reads the files in an archive.
func (g *gatherer) archive(f liveFile, in io.Reader) taken {
	label := g.label(f)
	all := &Gathered{Path: label}
	var server ServerVersion
	store := archive.NewStore(g.opts.Input.Bytes(), g.opts.Cores.Number())
	var members []*sourceFile
	err := archive.Walk(in, archive.Limits{Bytes: maxExpansion * g.opts.Input.Bytes(), Held: g.opts.Input.Bytes(), Entries: maxEntries}, archive.Visitor{
		File: func(name string, head []byte, text io.Reader) error {
			all.recognise(name)
			file := label
			if name != "" {
				file = label + "/" + name
			}
			switch version := serverVersion(head); {
			case version != "":
				server = told(version, file)
				return nil
			case name != "" && !holdsObjects(name, head):
				all.pass(name, NotObjects)
				return nil
			case name == "" && f.folder != "" && !holdsObjects(strings.TrimSuffix(f.name, filepath.Ext(f.name)), head):
				return nil
			}
			if version := commentedVersion(head); version != "" {
				server = told(version, file)
			}
			s := &sourceFile{file: file, Limits: g.opts.Limits, shared: source.NewShared(), store: store, base: store.Size()}
			n, err := io.Copy(store, text)
			s.size = n
			members = append(members, s)
			return err
		},
		Link: func(name string) { all.pass(name, IsLink) },
	})
	if err = errors.Join(err, store.Close()); err != nil {
		return unread(label, fmt.Errorf("cannot be unpacked: %w%s", err, cutAdvice(err.Error())))
	}
	if len(members) == 0 && len(all.PassedOver) == 0 && f.folder != "" {
		return taken{passed: NotObjects}
	}
	readers := make([]reader, len(members))
	passed := make([]Reason, len(members))
	g.opts.Cores.Do(len(members), func(i int) {
		readers[i].live, readers[i].limit = true, g.opts.Input
		passed[i] = readers[i].dump(members[i], f.folder != "" || members[i].file != label)
	})
	for i, r := range readers {
		if passed[i] != "" {
			all.pass(strings.TrimPrefix(members[i].file, label+"/"), passed[i])
			continue
		}
		all.Files++
		all.count(r)
	}
	if all.Files == 1 && len(all.PassedOver) == 0 {
		all = nil // one compressed file
	}
	return taken{readers: readers, gathered: all, server: server}
}

// dump reads one file of a snapshot: by its index if it can be indexed,
// otherwise like any file. A file that was found among others may contain
// something else; then dump returns why it is skipped.
func (r *reader) dump(s *sourceFile, found bool) (passed Reason) {
	if x, ok := s.index(); !ok || !r.indexed(x) {
		*r = reader{live: true, limit: s.Input}
		text, err := s.whole()
		if err != nil {
			r.problem(Problem{File: s.file, Text: err.Error()})
			return ""
		}
		if bare := withoutLogs(text); bare != text {
			return r.dump(&sourceFile{file: s.file, text: bare, held: true, size: int64(len(bare)), Limits: s.Limits}, found)
		}
		r.text(s.file, source.DecodeText([]byte(text)))
		for _, o := range r.set.Objects {
			r.index.add(o)
		}
		if found {
			passed = r.otherwise(text)
		}
	}
	r.refuseTables(s.file)
	for _, e := range r.index.entries {
		e.preferred = strings.Contains(s.file, preferredVersion)
		e.found = found
	}
	if found {
		r.index.entries = slices.DeleteFunc(r.index.entries, func(e *Entry) bool {
			return e.Name == "" || slices.Contains(neverStored, e.Kind.Group)
		})
		if passed == "" && len(r.index.entries)+len(r.lists)+len(r.set.Problems) == 0 {
			passed = NotObjects
		}
	}
	return passed
}

// neverStored are groups of objects that the server writes to logs or answers
// with, and must-gather saves.
var neverStored = []string{"audit.k8s.io", "apidiscovery.k8s.io"}

// refuseTables rejects Tables, which the server prints for people
// (k8s.io/apimachinery/pkg/apis/meta/v1/types.go Table).
func (r *reader) refuseTables(file string) {
	table := func(e *Entry) bool { return e.Kind.Group == "meta.k8s.io" && e.Kind.Kind == "Table" }
	if slices.ContainsFunc(r.index.entries, table) {
		r.problem(Problem{File: file, Line: 1, Column: 1, Text: "a Table, which the server prints for people, has no objects; " + exportAgain})
		r.index.entries = slices.DeleteFunc(r.index.entries, table)
	}
}

// otherwise returns why a file without objects is skipped, and drops the
// problems found in it.
func (r *reader) otherwise(text string) Reason {
	if len(r.index.entries) > 0 {
		return ""
	}
	for _, p := range r.set.Problems {
		switch {
		case p.Severity != Error || p.Fault.Code == fault.MissingKind:
		case p.Object == nil && strings.Contains(text, "{{"):
			r.set.Problems = nil
			return IsTemplate
		case p.Fault.Code == fault.Untyped:
			r.set.Problems = nil
			return IsUntyped
		default:
			return ""
		}
	}
	r.set.Problems = nil
	return NotObjects
}
