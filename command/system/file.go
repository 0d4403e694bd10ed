package system

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"threeway/merge/disk"
)

// WriteFile replaces the content of a file completely or not at all: it writes
// a new file next to it, and renames that when it is complete. An existing file
// keeps its mode, and a symbolic link its target. Anything but a regular file,
// such as /dev/stderr or a pipe, is written to directly.
func WriteFile(name string, data []byte) error { return replaceFile(name, whole(data), 0o644, false) }

// WritePrivateFile is WriteFile for a file that only its owner may read. It
// does not keep the old mode.
func WritePrivateFile(name string, data []byte) error { return WritePrivately(name, whole(data)) }

// WritePrivately is WritePrivateFile for what is written bit by bit.
func WritePrivately(name string, write func(io.Writer) error) error {
	return replaceFile(name, write, 0o600, true)
}

func whole(data []byte) func(io.Writer) error {
	return func(out io.Writer) error {
		_, err := out.Write(data)
		return err
	}
}

func replaceFile(name string, write func(io.Writer) error, mode fs.FileMode, always bool) (err error) {
	if name, err = Destination(name); err != nil {
		return err
	}
	info, statErr := os.Stat(name)
	if statErr == nil {
		if !info.Mode().IsRegular() {
			return writeThere(name, write)
		}
		if !always {
			mode = info.Mode().Perm()
		}
	}
	var f *os.File
	done, err := Begin(func() (func(), error) {
		var err error
		f, err = createBeside(name, mode)
		return func() { os.Remove(f.Name()) }, err
	})
	if err != nil {
		return err
	}
	defer done()
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
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
	return os.Rename(f.Name(), name)
}

// writeThere writes to what is no regular file, such as a pipe.
func writeThere(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// Destination follows the symbolic links in a file name. A name inside the
// repository (or, without one, the working directory) must not lead out of it,
// because the link may be part of a change under review. Links of a name
// outside are followed anywhere.
func Destination(name string) (string, error) {
	top := cmp.Or(disk.Top("."), Absolute("."))
	inside := Within(name, top)
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && !inside {
		return name, nil // /dev/stderr may be a pipe, which has no path
	}
	at, err := resolved(Absolute(name))
	if cause := new(fs.PathError); errors.As(err, &cause) {
		return "", fmt.Errorf("%s: %w", name, cause.Err)
	}
	if err != nil || !inside {
		return at, err
	}
	if top, err = filepath.EvalSymlinks(top); err != nil {
		return "", err
	}
	if !Within(at, top) {
		return "", fmt.Errorf("a symbolic link points outside of the repository or working directory, to %s; name that file itself if you want to write it", at)
	}
	return at, nil
}

// resolved returns a path without symbolic links; the file itself need not
// exist.
func resolved(path string) (string, error) {
	at, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) || filepath.Dir(path) == path {
		return at, err
	}
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s is a symbolic link to a file that does not exist; remove it first", Relative(path))
	}
	dir, err := resolved(filepath.Dir(path))
	return filepath.Join(dir, filepath.Base(path)), err
}

// createBeside creates a new file in the same directory.
func createBeside(name string, mode fs.FileMode) (*os.File, error) {
	for i := 0; ; i++ {
		f, err := os.OpenFile(fmt.Sprintf("%s.%d.tmp", name, i), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) || i == 99 {
			return f, err
		}
	}
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
