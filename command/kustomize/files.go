package kustomize

import (
	"sigs.k8s.io/yaml"

	"threeway/merge/memo"
	"threeway/merge/tree"
)

// Files are those that a kustomization can be made of: a disk, or a tree of git. Paths
// have slashes.
type Files interface {
	// Read returns the text of a file; ok is false if there is no such file.
	Read(file string) (text []byte, ok bool)
	// IsDir reports whether there is a directory.
	IsDir(dir string) bool
	// Real is the path of a directory without links.
	Real(dir string) string
	// Name is what a file is called in messages.
	Name(file string) string
}

// Remember returns files of which each is asked for once: kustomizations build on the same ones. It
// keeps all texts, so it must not outlive what asks for many.
func Remember(files Files) Files {
	if r, ok := files.(*remembered); ok {
		return r
	}
	return &remembered{Files: files}
}

type remembered struct {
	Files
	texts memo.Table[string, text]
	dirs  memo.Table[string, bool]
	reals memo.Table[string, string]
	trees memo.Table[string, parsed]
	built memo.Table[string, *Kustomization]
}

type text struct {
	bytes []byte
	ok    bool
}

func (r *remembered) Read(file string) ([]byte, bool) {
	read := r.texts.Get(file, func() (t text) {
		t.bytes, t.ok = r.Files.Read(file)
		return t
	})
	return read.bytes, read.ok
}

func (r *remembered) IsDir(dir string) bool {
	return r.dirs.Get(dir, func() bool { return r.Files.IsDir(dir) })
}

func (r *remembered) Real(dir string) string {
	return r.reals.Get(dir, func() string { return r.Files.Real(dir) })
}

// parsed is a kustomization file; tree must not be changed.
type parsed struct {
	text []byte
	tree tree.Object
	err  error
}

// parse reads a kustomization file.
func parse(files Files, file string) parsed {
	read := func() (p parsed) {
		p.text, _ = files.Read(file)
		p.err = yaml.Unmarshal(p.text, &p.tree)
		return p
	}
	if r, ok := files.(*remembered); ok {
		return r.trees.Get(file, read)
	}
	return read()
}
