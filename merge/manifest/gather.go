package manifest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"threeway/merge/fault"
	"threeway/merge/text/archive"
	"threeway/merge/text/source"
)

// Gathered tells what a snapshot took from one archive or folder, where objects
// are among other files.
type Gathered struct {
	Path string
	// Layout is what made it: must-gather, Velero backup …; "" if that is unknown.
	Layout string
	// Objects came from Files.
	Objects, Files int
	// PassedOver counts what was not taken, by reason, and Names has the names of
	// the first maxNamed.
	PassedOver map[Reason]int
	Names      []PassedOver
}

// PassedOver is a file that was not taken.
type PassedOver struct {
	Name   string
	Reason Reason
}

// Reason says why a file was passed over.
type Reason string

// The reasons.
const (
	NotObjects Reason = "no Kubernetes objects"
	IsLink     Reason = "link or device"
	IsTemplate Reason = "template that is not rendered"
)

// add adds a file of a folder.
func (g *Gathered) add(name string, t taken) {
	g.recognise(filepath.ToSlash(name))
	if t.passed != "" {
		g.pass(name, t.passed)
		return
	}
	g.Files++
	for _, r := range t.readers {
		g.Objects += len(r.index.entries)
	}
}

// maxNamed is how many files that were passed over are named, at most.
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

// layouts tell what made an archive or a folder by a path in it:
// github.com/openshift/oc pkg/cli/admin/inspect, github.com/vmware-tanzu/velero
// pkg/archive, kubectl pkg/cmd/clusterinfo and
// github.com/replicatedhq/troubleshoot pkg/collect.
var layouts = []struct{ name, part string }{
	{"must-gather", "/cluster-scoped-resources/"},
	{"must-gather", "/must-gather.local."},
	{"Velero backup", "-preferredversion/"},
	{"Velero backup", "/metadata/version"},
	{"support bundle", "/cluster-resources/"},
	{"cluster-info dump", "/replication-controllers."},
}

func (g *Gathered) recognise(name string) {
	for _, l := range layouts {
		if g.Layout == "" && strings.Contains("/"+name, l.part) {
			g.Layout = l.name
		}
	}
}

// preferredVersion is in the path of an object that a Velero backup has in the
// version that its cluster preferred, beside other versions.
const preferredVersion = "-preferredversion/"

// liveFile is a file of a snapshot.
type liveFile struct {
	name string
	// folder is the path that it was found below, "" if it was named itself.
	folder string
}

// liveFiles lists the files of a snapshot: all that are in its folders.
func liveFiles(opts Options) (files []liveFile, problems []Problem) {
	for _, path := range opts.Paths {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			names, wrong := expand([]string{path}, opts.Recursive, nil)
			problems = append(problems, wrong...)
			for _, name := range names {
				f := liveFile{name: name}
				if strings.ContainsAny(path, "*?[") {
					f.folder = filepath.Dir(path)
				}
				files = append(files, f)
			}
			continue
		}
		err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && name != path && (!opts.Recursive || entry.Name() == ".git"):
				return filepath.SkipDir
			case !entry.IsDir():
				files = append(files, liveFile{name, path})
			}
			return nil
		})
		if err != nil {
			problems = append(problems, Problem{Text: "error reading " + path + ": " + err.Error()})
		}
	}
	return files, problems
}

// gatherer reads the files of a snapshot.
type gatherer struct {
	opts Options
	held atomic.Int64 // of the files that are held as they are
}

// taken is what came of one file.
type taken struct {
	readers  []reader
	gathered *Gathered // of an archive
	passed   Reason    // "" if it was taken
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
		return unread(f.name, fmt.Errorf("error parsing %s: %w", f.name, err))
	case archive.Is(head):
		return g.archive(f, text)
	case f.folder != "" && !holdsObjects(f.name, head):
		return taken{passed: NotObjects}
	}
	var rest io.Reader
	if once {
		rest = text
	}
	s, err := openSource(f.name, g.opts, rest, &g.held)
	if err != nil {
		return unread(f.name, err)
	}
	r := reader{live: true, limit: g.opts.Input}
	why := r.dump(s, f.folder != "")
	return taken{readers: []reader{r}, passed: why}
}

func unread(name string, err error) taken {
	r := reader{}
	r.problem(Problem{File: name, Text: err.Error()})
	return taken{readers: []reader{r}}
}

// open opens a file; once says that it can be read only once. A link that leads to
// no file, and a device, are an error, with in nil, if they were found in a folder.
func (g *gatherer) open(f liveFile) (in io.ReadCloser, once bool, err error) {
	if f.name == Stdin {
		if g.opts.Stdin == nil {
			return nil, false, nil
		}
		return io.NopCloser(g.opts.Stdin), true, nil
	}
	info, err := os.Stat(f.name)
	if err == nil && f.folder != "" && !info.Mode().IsRegular() {
		err = errors.New("no file")
	}
	if err != nil {
		return nil, false, err
	}
	file, err := os.Open(f.name)
	if err != nil {
		return io.NopCloser(nil), false, err
	}
	return file, !info.Mode().IsRegular(), nil
}

// holdsObjects reports whether a file among others is one with objects, by its name
// and its begin. What kubectl wrote in place of objects is not passed over.
func holdsObjects(name string, head []byte) bool {
	if slices.Contains([]string{".log", ".html", ".md", ".sh", ".tpl"}, filepath.Ext(name)) {
		return false
	}
	return versionField.Match(head) || IsManifest(name) && notObjects(string(head)) != ""
}

// versionField is the field that each object has, as JSON or YAML.
var versionField = regexp.MustCompile(`(^|[\n{,])[ \r\n\t-]*"?apiVersion"?\s*:`)

// maxExpansion is how many times as much as may be held in memory may come out of
// an archive, and maxEntries how many entries it may have.
const (
	maxExpansion = 16
	maxEntries   = 500_000
)

// archive reads what an archive holds.
func (g *gatherer) archive(f liveFile, in io.Reader) taken {
	label := f.name
	if f.name == Stdin && g.opts.StdinName != "" {
		label = g.opts.StdinName
	}
	all := &Gathered{Path: label}
	store := archive.NewStore(g.opts.Input.Bytes(), g.opts.Cores.Number())
	var members []*sourceFile
	err := archive.Walk(in, archive.Limits{Bytes: maxExpansion * g.opts.Input.Bytes(), Held: g.opts.Input.Bytes(), Entries: maxEntries}, archive.Visitor{
		File: func(name string, head []byte, text io.Reader) error {
			all.recognise(name)
			if name != "" && !holdsObjects(name, head) {
				all.pass(name, NotObjects)
				return nil
			}
			s := &sourceFile{file: label, Limits: g.opts.Limits, store: store, base: store.Size()}
			if name != "" {
				s.file = label + "/" + name
			}
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
	readers := make([]reader, len(members))
	passed := make([]Reason, len(members))
	g.opts.Cores.Do(len(members), func(i int) {
		readers[i].live, readers[i].limit = true, g.opts.Input
		passed[i] = readers[i].dump(members[i], members[i].file != label)
	})
	for i, r := range readers {
		if passed[i] != "" {
			all.pass(strings.TrimPrefix(members[i].file, label+"/"), passed[i])
			continue
		}
		all.Files++
		all.Objects += len(r.index.entries)
	}
	if all.Files == 1 && len(all.PassedOver) == 0 {
		all = nil // one compressed file
	}
	return taken{readers: readers, gathered: all}
}

// dump reads one file of a snapshot: by its index, or else as any file. One that was
// found among others may hold something else: then it says why it is passed over.
func (r *reader) dump(s *sourceFile, found bool) (passed Reason) {
	if x, ok := s.index(); !ok || !r.indexed(x) {
		*r = reader{live: true, limit: s.Input}
		text, err := s.whole()
		if err != nil {
			r.problem(Problem{File: s.file, Text: err.Error()})
			return ""
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
		r.index.entries = slices.DeleteFunc(r.index.entries, func(e *Entry) bool { return e.Name == "" || e.Kind.Group == "audit.k8s.io" })
		if passed == "" && len(r.index.entries)+len(r.lists)+len(r.set.Problems) == 0 {
			passed = NotObjects
		}
	}
	return passed
}

// refuseTables refuses what the server prints for people
// (k8s.io/apimachinery/pkg/apis/meta/v1/types.go Table).
func (r *reader) refuseTables(file string) {
	table := func(e *Entry) bool { return e.Kind.Group == "meta.k8s.io" && e.Kind.Kind == "Table" }
	if slices.ContainsFunc(r.index.entries, table) {
		r.problem(Problem{File: file, Line: 1, Column: 1, Text: "a Table, which the server prints for people, has no objects; " + exportAgain})
		r.index.entries = slices.DeleteFunc(r.index.entries, table)
	}
}

// otherwise says what a file is that holds no objects, and drops what is wrong
// with it then.
func (r *reader) otherwise(text string) Reason {
	if len(r.index.entries) > 0 {
		return ""
	}
	for _, p := range r.set.Problems {
		switch {
		case p.Severity != Error || p.Fault.Code == fault.MissingKind && !strings.Contains(p.Text, "list has no kind"):
		case p.Object == nil && strings.Contains(text, "{{"):
			r.set.Problems = nil
			return IsTemplate
		default:
			return ""
		}
	}
	r.set.Problems = nil
	return NotObjects
}
