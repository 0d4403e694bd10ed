package system

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"threeway/merge/disk"
	"threeway/merge/manifest"
)

// Revision is a repository at a revision, for what is made of many of its files. Paths
// are from the top of the repository.
type Revision struct {
	tree *revisionTree
	dirs map[string]bool
}

// RevisionAt reads which files the repository of a directory has at a revision.
func RevisionAt(ctx context.Context, limits manifest.Limits, revision, dir string) (*Revision, error) {
	root := disk.Repository(dir)
	if root == "" {
		return nil, fmt.Errorf("%s is not in a git repository", dir)
	}
	t, err := readTree(ctx, limits, root, revision)
	if err != nil {
		return nil, err
	}
	r := &Revision{tree: t, dirs: map[string]bool{".": true}}
	for _, name := range t.paths {
		for at := path.Dir(name); !r.dirs[at]; at = path.Dir(at) {
			r.dirs[at] = true
		}
	}
	return r, nil
}

// Paths are all files, from the top of the repository.
func (r *Revision) Paths() []string { return r.tree.paths }

// HasFile reports whether the revision has a file, by its path from the top.
func (r *Revision) HasFile(file string) bool { return r.tree.modes[file] != "" }

// Had reports whether the revision has a file, also one that a sparse checkout leaves out as it is
// there.
func (r *Revision) Had(file string) bool { return r.HasFile(file) || r.tree.sparse[file] != "" }

// Submodules are the commits of submodules, by their paths from the top.
func (r *Revision) Submodules() map[string]string { return r.tree.modules }

// At is a path from the top of the repository.
func (r *Revision) At(file string) string {
	below, err := filepath.Rel(r.tree.root, Absolute(file))
	if err != nil {
		return ".." // which it does not have
	}
	return filepath.ToSlash(below)
}

// Here is a path from the working directory.
func (r *Revision) Here(file string) string { return r.tree.here(file) }

// Holds reports whether the revision has manifests at a path, which is a file, a directory or
// a pattern.
func (r *Revision) Holds(file string) bool { return len(r.tree.expand(r.At(file), true)) > 0 }

// Read is the text of a file.
func (r *Revision) Read(file string) ([]byte, bool) {
	mode, object, ok := strings.Cut(r.tree.modes[r.tree.real(path.Clean(file))], " ")
	if !ok || mode == linkMode {
		return nil, false
	}
	texts, err := r.tree.blobs([]string{object})
	if err != nil {
		return nil, false
	}
	return texts[0], true
}

// Load reads files with one run of git; Read then has them.
func (r *Revision) Load(files []string) { r.tree.load(files) }

// Same reports whether the revision has a file as it is on the disk.
func (r *Revision) Same(file string) bool {
	mode := r.mode(r.At(file))
	return mode != "" && stored(file, mode)
}

// SameAs reports whether two revisions have a file, by its path from the top, and have it alike.
func (r *Revision) SameAs(other *Revision, file string) bool {
	mode := r.mode(file)
	return mode != "" && mode == other.mode(file)
}

// mode is that of what a path leads to, or of a link that leads nowhere.
func (r *Revision) mode(file string) string {
	return cmp.Or(r.tree.modes[r.tree.real(file)], r.tree.modes[file])
}

// IsDir reports whether the revision has a directory.
func (r *Revision) IsDir(dir string) bool { return r.dirs[r.tree.real(path.Clean(dir))] }

// Real is the path of a directory without links.
func (r *Revision) Real(dir string) string { return r.tree.real(path.Clean(dir)) }

// Name is what a file is called: REVISION:FILE, and in the index as on the disk.
func (r *Revision) Name(file string) string { return r.tree.called(file) }

// LayOut writes files, and directories with all that is in them, below a temporary directory that
// only this user can read, until done is called or a signal ends the program. whole are
// the files that must be more than a pointer to another place.
func (r *Revision) LayOut(dirs, whole []string) (top string, done func(), err error) {
	scratch, err := NewScratch()
	if err != nil {
		return "", nil, fmt.Errorf("make a directory for the files of git: %w", err)
	}
	if err := r.write(scratch, dirs, whole); err != nil {
		scratch.Remove()
		return "", nil, err
	}
	return scratch.Name(), scratch.Remove, nil
}

func (r *Revision) write(scratch *Scratch, dirs, whole []string) error {
	names, objects, seen := []string{}, []string{}, map[string]bool{}
	for _, dir := range dirs {
		for _, name := range r.tree.paths {
			if !seen[name] && (dir == "." || dir == name || strings.HasPrefix(name, dir+"/")) {
				_, object, _ := strings.Cut(r.tree.modes[r.tree.real(name)], " ")
				if seen[name] = true; object != "" { // else a link that leads out
					names, objects = append(names, name), append(objects, object)
				}
			}
		}
	}
	texts, err := r.tree.blobs(objects)
	if err != nil {
		return err
	}
	for i, name := range names {
		if bytes.HasPrefix(texts[i], []byte("version https://git-lfs.github.com/spec/")) && slices.Contains(whole, name) {
			return fmt.Errorf("git has only a pointer to %s, which Git LFS keeps", name)
		}
		if err := scratch.Write(filepath.FromSlash(name), texts[i]); err != nil {
			return err
		}
	}
	return nil
}
