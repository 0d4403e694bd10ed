package system

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"threeway/merge/disk"
)

// WriteFile replaces the content of a file completely or not at all: it writes
// a new file next to it, and renames that when it is complete. An existing file
// keeps its mode, but is not executable, and a symbolic link its target. Anything but a
// regular file, such as /dev/stderr or a pipe, is written to directly.
func WriteFile(name string, data []byte) error { return replaceFile(name, whole(data), 0o644) }

// WritePrivateFile is WriteFile for a file that only its owner may read. It
// does not keep the old mode.
func WritePrivateFile(name string, data []byte) error { return WritePrivately(name, whole(data)) }

// WritePrivately is WritePrivateFile for what is written bit by bit.
func WritePrivately(name string, write func(io.Writer) error) error {
	return replaceFile(name, write, private)
}

// private is the mode of a file that only its owner may read.
const private fs.FileMode = 0o600

func whole(data []byte) func(io.Writer) error {
	return func(out io.Writer) error {
		_, err := out.Write(data)
		return err
	}
}

func replaceFile(name string, write func(io.Writer) error, mode fs.FileMode) (err error) {
	at, err := Destination(name)
	if err != nil {
		return err
	}
	if info, err := os.Stat(at); err == nil && !info.Mode().IsRegular() {
		return writeThere(at, write)
	}
	dir, err := openDirectory(filepath.Dir(at), false)
	if err != nil {
		return err
	}
	defer dir.Close()
	file := filepath.Base(at)
	info, statErr := dir.Lstat(file)
	if statErr == nil && mode != private {
		mode = info.Mode().Perm() &^ 0o111 // what it gets is no program
	}
	var f *os.File
	var temporary string
	remove := func() { _ = dir.Remove(temporary) }
	done, err := Begin(func() (func(), error) {
		var err error
		f, temporary, err = createBeside(dir, file, mode)
		return remove, err
	})
	if err != nil {
		return err
	}
	defer done()
	defer func() {
		if err != nil {
			f.Close()
			remove()
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if statErr == nil {
		// The umask may have removed bits.
		if err := f.Chmod(mode); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return dir.Rename(temporary, file)
}

// writeThere writes to what is no regular file, such as a pipe.
func writeThere(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if info, err := f.Stat(); err != nil || info.Mode().IsRegular() {
		return errors.Join(err, f.Close(), fmt.Errorf("%s has become another file", name))
	}
	return errors.Join(write(f), f.Close())
}

// Destination follows the symbolic links in the name of a file to write. A link in a
// repository, or below the working directory, must not lead out of it or into a directory of
// git, because it may be part of a change under review. Other links are followed anywhere.
func Destination(name string) (string, error) {
	at, err := disk.Real(name)
	if errors.Is(err, disk.ErrOutside) {
		return "", fmt.Errorf("a symbolic link points outside of the repository or working directory, or into .git, to %s; name that file itself if you want to write it", at)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return name, nil // /dev/stderr may be a pipe, which has no path
	}
	if cause := new(fs.PathError); errors.As(err, &cause) {
		return "", fmt.Errorf("%s: %w", name, cause.Err)
	}
	return at, err
}

// openDirectory opens a directory for writing, whose path has no symbolic links; with create
// it may be new. Below the top of the repository or the working directory, a link that appears on
// the way meanwhile is not followed.
func openDirectory(path string, create bool) (*os.Root, error) {
	top := disk.Top(path)
	if top == "" || !Within(path, top) {
		if top = path; create {
			if err := os.MkdirAll(path, 0o755); err != nil {
				return nil, err
			}
		}
	}
	below, err := filepath.Rel(top, path)
	if err != nil {
		return nil, err
	}
	dir, err := os.OpenRoot(top)
	for _, part := range strings.Split(below, string(filepath.Separator)) {
		if err != nil || part == "." {
			return dir, err
		}
		dir, err = enter(dir, part, create)
	}
	return dir, err
}

// enter opens a directory in another, which it closes, and which is no symbolic link.
func enter(dir *os.Root, name string, create bool) (*os.Root, error) {
	defer dir.Close()
	before, err := dir.Lstat(name)
	if create && errors.Is(err, fs.ErrNotExist) {
		if err = dir.Mkdir(name, 0o755); err == nil {
			before, err = dir.Lstat(name)
		}
	}
	if err != nil {
		return nil, err
	}
	next, err := dir.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if after, err := next.Stat("."); err != nil || !os.SameFile(before, after) {
		return nil, errors.Join(err, next.Close(), fmt.Errorf("%s has become a symbolic link", name))
	}
	return next, nil
}

// createBeside creates a new file in a directory, named after another.
func createBeside(dir *os.Root, name string, mode fs.FileMode) (f *os.File, temporary string, err error) {
	for i := range 100 {
		temporary = fmt.Sprintf("%s.%d.tmp", name, i)
		if f, err = dir.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return f, temporary, err
}

// NewFile is a file to write, by its path below a directory.
type NewFile struct {
	Path, Text string
	// Private: only its owner may read it.
	Private bool
}

// WriteNew writes files below a directory that is vacant before, and again after a failure.
func WriteNew(dir string, files []NewFile) error {
	dir, err := Destination(dir)
	if err != nil {
		return err
	}
	undo := func() {
		for _, f := range files {
			os.Remove(filepath.Join(dir, f.Path))
			os.Remove(filepath.Join(dir, filepath.Dir(f.Path))) // if that was the last
		}
	}
	defer UndoOnSignal(undo)()
	for _, f := range files {
		at, write := filepath.Join(dir, f.Path), WriteFile
		if f.Private {
			write = WritePrivateFile
		}
		parent, err := openDirectory(filepath.Dir(at), true)
		if err == nil {
			err = errors.Join(parent.Close(), write(at, []byte(f.Text)))
		}
		if err != nil {
			undo()
			return err
		}
	}
	return nil
}

// Scratch is a directory that only this user can read, for files that another program reads.
type Scratch struct {
	*os.Root
	remove func()
}

// NewScratch makes a temporary directory, which stays until Remove is called or a signal ends
// the program.
func NewScratch() (s *Scratch, err error) {
	s = &Scratch{}
	done, err := Begin(func() (func(), error) {
		dir, err := os.MkdirTemp("", "threeway-")
		if err == nil {
			dir, err = filepath.EvalSymlinks(dir)
		}
		if err == nil {
			s.Root, err = os.OpenRoot(dir)
		}
		return func() { os.RemoveAll(dir) }, err
	})
	s.remove = func() {
		s.Close()
		os.RemoveAll(s.Name())
		done()
	}
	return s, err
}

// Remove removes the directory and what is in it.
func (s *Scratch) Remove() { s.remove() }

// Write writes a file, and the directories on its way.
func (s *Scratch) Write(name string, data []byte) error {
	if err := s.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return s.WriteFile(name, data, 0o600)
}

// IsRegular reports whether a path leads to a file that can be read again.
func IsRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// BelowTop is the working directory, seen from the top of its repository; ""
// if that is where it is, or if there is no repository.
func BelowTop() string {
	top := disk.Repository(".")
	if top == "" {
		return ""
	}
	below, err := filepath.Rel(top, Absolute("."))
	if err != nil || below == "." {
		return ""
	}
	return filepath.ToSlash(below)
}
