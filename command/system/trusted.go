package system

import (
	"context"
	"fmt"
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
}

// Trust reads which files the repository here has at a revision and at HEAD. name is
// what the revision is called.
func Trust(ctx context.Context, name, revision string) (*Trusted, error) {
	t := &Trusted{Name: name, root: disk.Repository(".")}
	if t.root == "" {
		return nil, fmt.Errorf("the working directory is not in a git repository")
	}
	var err error
	if t.base, err = readTree(ctx, t.root, revision); err != nil {
		return nil, err
	}
	t.head, err = readTree(ctx, t.root, "HEAD")
	return t, err
}

// below is a path from the top of the repository; ok is false outside of it.
func (t *Trusted) below(path string) (name string, ok bool) {
	rel, err := filepath.Rel(t.root, Absolute(path))
	rel = filepath.ToSlash(rel)
	return rel, err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

// Has reports whether the revision has a file or a directory. What it has not, and
// HEAD has, was added by the change and counts as absent, which is noted. Everything
// else is no part of the change, and Files leaves it to the disk.
func (t *Trusted) Has(path string) bool {
	name, ok := t.below(path)
	if !ok {
		return true
	}
	before, now := t.base.states(name), t.head.states(name)
	if real, err := filepath.EvalSymlinks(path); len(before) == 0 && err == nil {
		top, _ := filepath.EvalSymlinks(t.root)
		if rel, err := filepath.Rel(top, real); err == nil {
			now = append(now, t.head.states(filepath.ToSlash(rel))...)
		}
	}
	if slices.Equal(before, now) {
		return true
	}
	what := "is changed"
	switch {
	case len(before) == 0:
		what = "is new"
	case len(now) == 0:
		what = "is removed"
	}
	how := fmt.Sprintf("; what %s has counts", t.Name)
	if len(before) == 0 {
		how = " and does not count, because " + t.Name + " has none"
	}
	if note := Relative(path) + " " + what + " in this change" + how; !slices.Contains(t.changed, note) {
		t.changed = append(t.changed, note)
	}
	return len(before) > 0
}

// Notes say what the change does to the files that Has was asked for.
func (t *Trusted) Notes() []string { return t.changed }

// Files are the files at or below a path at the revision; ok is false if neither that
// nor HEAD has it.
func (t *Trusted) Files(path string) (files []manifest.File, ok bool, err error) {
	name, inside := t.below(path)
	if !inside {
		return nil, false, nil
	}
	var names []string
	for _, p := range t.base.paths {
		if p == name || strings.HasPrefix(p, name+"/") || name == "." {
			names = append(names, p)
		}
	}
	if names == nil {
		return nil, !t.Has(path), nil
	}
	files, err = t.base.read(names)
	for i := range files {
		files[i].Name = t.base.here(names[i])
	}
	return files, true, err
}

// Manifests are the files that kubectl would read for the paths at the revision.
func (t *Trusted) Manifests(paths []string, recursive bool) (files []manifest.File, err error) {
	for _, path := range paths {
		name, ok := t.below(path)
		if !ok || path == "-" {
			continue
		}
		names := t.base.expand(name, recursive)
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

// states are the modes and objects of a file, of everything below a directory, or of
// the submodule that a path is in.
func (t *revisionTree) states(name string) (list []string) {
	for module, commit := range t.modules {
		if name == module || strings.HasPrefix(name, module+"/") {
			list = append(list, commit)
		}
	}
	for _, p := range t.paths {
		switch {
		case p == name, name == ".", strings.HasPrefix(p, name+"/"):
			list = append(list, p+" "+t.modes[p])
		case strings.HasPrefix(name, p+"/"):
			list = append(list, p+" "+t.modes[p]) // a link to a directory
		}
	}
	return list
}
