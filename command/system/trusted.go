package system

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // of git
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"threeway/merge/disk"
	"threeway/merge/manifest"
)

// Trusted is a repository in which others have changed files since a revision: what
// judges their change is read at the revision.
type Trusted struct {
	// Name is how the revision is called: git:main.
	Name, root string
	base, head *revisionTree
	changed    []string
	// Assumed: the revision was not named, but found.
	Assumed bool
	// NotRendered are directories of charts that the change touches and no settings render.
	NotRendered []string
	// Unnamed are files that the change edits beside a kustomization that does not name them.
	Unnamed []string
	// Kustomized are directories of manifests that the change makes kustomizations.
	Kustomized []string
	// NotJudged are files, now or at the revision, that are not read where manifests are looked for,
	// by their paths, and what they are. Leaves returns why a file there is not looked at; nil if
	// manifests are not looked for.
	NotJudged []NotJudged
	Leaves    func(file string) string
}

// NotJudged is a file that is not read, and what it is.
type NotJudged struct{ Path, What string }

// Trust reads which files the repository here has at a revision and at HEAD. name is
// what the revision is called.
func Trust(ctx context.Context, limits manifest.Limits, name, revision string) (*Trusted, error) {
	t := &Trusted{Name: name, root: disk.Repository(".")}
	if t.root == "" {
		return nil, fmt.Errorf("the working directory is not in a git repository")
	}
	var err error
	if t.base, err = readTree(ctx, limits, t.root, revision); err != nil {
		return nil, err
	}
	t.head, err = readTree(ctx, limits, t.root, "HEAD")
	return t, err
}

// below is a path from the top of the repository; ok is false outside of it.
func (t *Trusted) below(path string) (name string, ok bool) {
	rel, err := filepath.Rel(t.root, Absolute(path))
	rel = filepath.ToSlash(rel)
	return rel, err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

// Has reports whether the revision has a file, a directory or a pattern. What it has
// not, and HEAD has, was added by the change and counts as absent, which is noted.
// Everything else is no part of the change, and Files leaves it to the disk.
func (t *Trusted) Has(path string) bool {
	name, ok := t.below(path)
	if !ok {
		return true
	}
	before, now := t.base.states(name), t.head.states(name)
	if len(before) == 0 {
		// What the disk has there may be a file of HEAD under another name.
		top, _ := filepath.EvalSymlinks(t.root)
		matches, _ := filepath.Glob(path)
		for _, match := range append(matches, path) {
			real, err := filepath.EvalSymlinks(match)
			if err == nil {
				real, err = filepath.EvalSymlinks(Absolute(real))
			}
			if rel, wrong := filepath.Rel(top, real); err == nil && wrong == nil {
				now = append(now, t.head.states(filepath.ToSlash(rel))...)
			}
		}
	}
	if slices.Equal(before, now) {
		return true
	}
	what, how := "edits", ": that of "+t.Name+" is used"
	switch {
	case len(before) == 0:
		what, how = "adds", ", which is not used: "+t.Name+" has none"
	case len(now) == 0:
		what = "removes"
	}
	t.Note("this change " + what + " " + Relative(path) + how)
	return len(before) > 0
}

// Knows reports whether the revision has a file, or files in a directory or of a pattern.
func (t *Trusted) Knows(path string) bool {
	name, ok := t.below(path)
	return ok && len(t.base.states(name)) > 0
}

// Ignored reports whether git has no file of that name and ignores it by a .gitignore that the
// revision has, too: no change can bring it.
func (t *Trusted) Ignored(ctx context.Context, path string) bool {
	name, ok := t.below(path)
	if !ok || len(t.base.states(name))+len(t.head.states(name)) > 0 {
		return false
	}
	said, err := git(ctx, t.root, "check-ignore", "--verbose", "--", name) // nothing for what is in the index
	if err != nil {
		return false
	}
	by, _, _ := strings.Cut(string(said), ":")
	now, err := disk.ReadFile(filepath.Join(t.root, by))
	if err != nil || filepath.Base(by) != ".gitignore" || filepath.IsAbs(by) || len(t.base.states(by)) == 0 {
		return false
	}
	then, err := t.base.read([]string{by})
	return err == nil && bytes.Equal(then[0].Data, now)
}

// Seals notes a change of the file of rules by which SOPS encrypts new values.
func (t *Trusted) Seals(rules string) {
	if name, ok := t.below(rules); ok && !slices.Equal(t.base.states(name), t.head.states(name)) {
		t.Note(Relative(rules) + " changes: SOPS encrypts new values for the keys that it names")
	}
}

// Note adds what else the change does to what judges it.
func (t *Trusted) Note(text string) {
	if !slices.Contains(t.changed, text) {
		t.changed = append(t.changed, text)
	}
}

// States are the names, modes and contents of all files at the revision, as git names them.
func (t *Trusted) States() []string { return t.base.states(".") }

// Notes say what the change does to the files that Has was asked for.
func (t *Trusted) Notes() []string { return t.changed }

// Files are the files at or below a path at the revision; ok is false if neither that
// nor HEAD has it.
func (t *Trusted) Files(path string) (files []manifest.File, ok bool, err error) {
	name, inside := t.below(path)
	if !inside {
		return nil, false, nil
	}
	names := t.base.under(name)
	if len(names) == 0 {
		return nil, !t.Has(path), nil
	}
	same := slices.Equal(t.base.states(name), t.head.states(name))
	for _, n := range names {
		switch {
		case t.base.modules[n] == "":
		case same:
			return nil, false, nil
		default:
			return nil, true, fmt.Errorf("the change touches this, and %s does not have the files of the submodule %s; review the new commit of the submodule first, or pass the submodule alone", t.Name, n)
		}
	}
	if files, err = t.base.read(names); err != nil {
		return nil, true, err
	}
	real := t.base.real(name)
	for i, n := range names {
		if rest, ok := strings.CutPrefix(n, real); ok {
			n = name + rest
		}
		files[i].Name = t.base.here(n)
		if here, err := disk.ReadFile(files[i].Name); same && err == nil && !bytes.Equal(here, files[i].Data) && !bytes.Contains(here, []byte("\r\n")) {
			t.Note(files[i].Name + " is here not as git has it; what " + t.Name + " has counts, so write what is no part of the change to another file")
		}
	}
	return files, true, nil
}

// Manifests are the files that kubectl would read for the paths at the revision.
func (t *Trusted) Manifests(paths []string, recursive bool) (files []manifest.File, err error) {
	for _, path := range paths {
		name, ok := t.below(path)
		if !ok || path == "-" {
			continue
		}
		names := slices.DeleteFunc(t.base.expand(name, recursive), t.base.leadsNowhere)
		read, err := t.base.read(names)
		if err != nil {
			return nil, err
		}
		for i := range read {
			read[i].Name = t.base.here(names[i])
		}
		files = append(files, read...)
	}
	return files, nil
}

// Texts are files by their paths from the working directory.
type Texts struct {
	files map[string][]byte
	dirs  map[string]bool
}

// NewTexts returns no files.
func NewTexts() Texts { return Texts{map[string][]byte{}, map[string]bool{}} }

// Add adds a file.
func (t Texts) Add(file string, text []byte) {
	t.files[file] = text
	for dir := path.Dir(file); !t.dirs[dir]; dir = path.Dir(dir) {
		t.dirs[dir] = true
	}
}

// Paths are all files, sorted.
func (t Texts) Paths() []string { return slices.Sorted(maps.Keys(t.files)) }

// Read is the text of a file.
func (t Texts) Read(file string) (text []byte, ok bool) {
	text, ok = t.files[path.Clean(file)]
	return text, ok
}

// IsDir reports whether there are files below a directory.
func (t Texts) IsDir(dir string) bool { return t.dirs[path.Clean(dir)] }

// Real is the path: there are no links.
func (t Texts) Real(dir string) string { return path.Clean(dir) }

// Name is the path.
func (t Texts) Name(file string) string { return file }

// Texts are the files below a directory that the revision has. wanted is asked for each
// by its path from the directory.
func (t *Trusted) Texts(dir string, wanted func(below string) bool) (Texts, error) {
	top, _ := t.below(dir)
	var names, paths []string
	for _, name := range t.base.under(top) {
		below := strings.TrimPrefix(name, top+"/")
		if t.base.modes[name] != "" && wanted(below) && !t.base.leadsNowhere(name) {
			names, paths = append(names, name), append(paths, path.Join(filepath.ToSlash(dir), below))
		}
	}
	files, err := t.base.read(names)
	texts := NewTexts()
	for i, f := range files {
		texts.Add(paths[i], f.Data)
	}
	return texts, err
}

// Changed are the files here that the revision does not have as they are, of those that are
// wanted: files of git's index, with those of submodules, and those that git does not ignore.
func (t *Trusted) Changed(ctx context.Context, wanted func(file string) bool) (files []string, err error) {
	index, err := readTree(ctx, t.base.limits, t.root, Index)
	if err != nil {
		return nil, err
	}
	list, err := git(ctx, t.root, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	add := func(file string) {
		if wanted(file) && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	for _, name := range index.paths {
		if here := t.base.here(name); wanted(here) && (index.modes[name] != t.base.modes[name] || !stored(here, index.modes[name])) {
			add(here)
		}
	}
	for name := range strings.SplitSeq(string(list), "\x00") {
		if name != "" {
			add(t.base.here(name))
		}
	}
	for name, commit := range index.modules {
		if commit != t.base.modules[name] {
			_ = filepath.WalkDir(t.base.here(name), func(file string, d fs.DirEntry, err error) error {
				switch {
				case err != nil:
				case d.Name() == ".git" && d.IsDir():
					return fs.SkipDir
				case !d.IsDir():
					add(file)
				}
				return nil
			})
		}
	}
	slices.Sort(files)
	return files, nil
}

// stored reports whether a file is as git has stored it, with a mode and an object. No filter
// is asked.
func stored(file, mode string) bool {
	data, err := disk.ReadFile(file)
	if strings.HasPrefix(mode, linkMode) {
		var to string
		to, err = os.Readlink(file)
		data = []byte(filepath.ToSlash(to))
	}
	_, object, _ := strings.Cut(mode, " ")
	head := fmt.Sprintf("blob %d\x00", len(data))
	if len(object) == sha256.Size*2 {
		return err == nil && fmt.Sprintf("%x", sha256.Sum256(append([]byte(head), data...))) == object
	}
	return err == nil && fmt.Sprintf("%x", sha1.Sum(append([]byte(head), data...))) == object
}

// Find is the nearest file of a name that the revision has, from a directory up to the
// top of the repository; "" if there is none.
func (t *Trusted) Find(dir, file string) string {
	for dir = Absolute(dir); ; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, file)
		name, ok := t.below(path)
		if !ok {
			return ""
		}
		if t.base.modes[name] != "" {
			return path
		}
		t.Has(path)
	}
}

// under are the files and submodules at or below a path, or the submodule that it is
// in; or else those of a pattern; or else those whose name differs in upper and lower
// case only, which on some disks is the same.
func (t *revisionTree) under(name string) []string {
	name = t.real(name)
	all := slices.Concat(t.paths, slices.Sorted(maps.Keys(t.modules)))
	find := func(is func(string) bool) (list []string) {
		for _, p := range all {
			for at := p; at != "."; at = path.Dir(at) {
				if is(at) {
					list = append(list, p)
					break
				}
			}
		}
		return list
	}
	if name == "." {
		return all
	}
	for module := range t.modules {
		if strings.HasPrefix(name, module+"/") {
			return []string{module}
		}
	}
	list := find(func(at string) bool { return at == name })
	if list == nil {
		list = find(func(at string) bool { ok, _ := path.Match(name, at); return ok })
	}
	if list == nil {
		list = find(func(at string) bool { return strings.EqualFold(at, name) })
	}
	return list
}

// states are the names, modes and objects of what is under a path.
func (t *revisionTree) states(name string) []string {
	list := t.under(name)
	for i, p := range list {
		list[i] = p + " " + t.modes[p] + t.modules[p]
	}
	return list
}
