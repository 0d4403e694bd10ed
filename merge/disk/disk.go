// Package disk opens the files that a run reads, and finds those that it writes. A file in
// a repository may be part of a change that others wrote, so a symbolic link there must not
// lead out of it, or into a directory of git: the reports, which others see, would show what
// the link points to, or overwrite it. Outside of a repository, links are followed.
package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// SettingsName is the file that marks the top of a project without git.
const SettingsName = ".threeway.yaml"

// ErrOutside is the error about a link that leads out of the repository.
var ErrOutside = errors.New("a symbolic link leads out of the repository here, and is not followed; pass the file that it points to, or replace the link with a copy")

// Open is os.Open for a file that Check allows.
func Open(name string) (*os.File, error) {
	if err := Check(name); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return os.Open(name)
}

// ReadFile is os.ReadFile for a file that Check allows.
func ReadFile(name string) ([]byte, error) {
	if err := Check(name); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return os.ReadFile(name)
}

// ReadDir is os.ReadDir for a directory that Check allows.
func ReadDir(name string) ([]os.DirEntry, error) {
	if err := Check(name); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return os.ReadDir(name)
}

// Check returns ErrOutside if a symbolic link of a path leads out of the repository that
// it is in, or into a directory of git.
func Check(name string) error {
	path := absolute(name)
	if real, err := filepath.EvalSymlinks(path); err == nil && real == path {
		return nil
	}
	if _, missing := os.Stat(path); missing != nil {
		return nil
	}
	// A link in /proc may open what has no path, such as a deleted file.
	if _, owned, err := follow(path); errors.Is(err, ErrOutside) || err != nil && owned {
		return ErrOutside
	}
	return nil
}

// CheckTree is Check of a directory and of every link below it, but not in .git, for a
// program that will read it.
func CheckTree(name string) error {
	if err := Check(name); err != nil {
		return &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return filepath.WalkDir(name, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err == nil && entry.Type()&fs.ModeSymlink != 0:
			if err := Check(file); err != nil {
				return &fs.PathError{Op: "open", Path: file, Err: err}
			}
		case err == nil && entry.IsDir() && entry.Name() == ".git" && file != name:
			return fs.SkipDir
		}
		return nil
	})
}

// Inside reports whether a path, as written and with its links followed, is in the
// project of a file: its repository, or else Top, or else its directory.
func Inside(name, file string) bool {
	top := Top(filepath.Dir(file))
	if top == "" {
		top = filepath.Clean(absolute(filepath.Dir(file)))
	}
	path := filepath.Clean(absolute(name))
	return below(path, top) && !InGit(path) && Check(name) == nil
}

// InGit reports whether a path leads into a directory of git itself, whose configuration
// may hold the token of a job, and which no change of others is in.
func InGit(path string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(path), "/"), func(name string) bool { return strings.EqualFold(name, ".git") })
}

// Top is the top of the repository of a path. Without git it is the highest directory
// with settings that the path is in, or else the working directory; "" if the path is
// in neither.
func Top(name string) string {
	path := filepath.Clean(absolute(name))
	top := project(path)
	if here, err := os.Getwd(); top == "" && err == nil && below(path, here) {
		return here
	}
	return top
}

// project is Top without the working directory.
func project(path string) (top string) {
	if root := Repository(path); root != "" {
		return root
	}
	for dir := path; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, SettingsName)); err == nil && info.Mode().IsRegular() {
			top = dir
		}
		if filepath.Dir(dir) == dir {
			return top
		}
	}
}

// Repository is the nearest directory at or above path that contains .git, or "".
func Repository(path string) string {
	dir, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// absolute is a path from the root of the file system. It is not cleaned: what ".."
// after a link means depends on where the link leads.
func absolute(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	here, err := os.Getwd()
	if err != nil {
		return name
	}
	return here + string(filepath.Separator) + name
}

func below(path, top string) bool {
	rel, err := filepath.Rel(top, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
