package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// writeFile gives a file new content, whole or not at all: the content is
// written beside it and takes its place when it is complete. An existing file
// keeps its mode and a symbolic link its target. What is no regular file, such
// as /dev/stderr or a pipe, is written to directly.
func writeFile(name string, data []byte) error { return replaceFile(name, data, 0o644, false) }

// writePrivateFile is writeFile of what only its owner may read, whatever the
// mode was before.
func writePrivateFile(name string, data []byte) error { return replaceFile(name, data, 0o600, true) }

func replaceFile(name string, data []byte, mode fs.FileMode, always bool) (err error) {
	info, statErr := os.Stat(name)
	if statErr == nil {
		if !info.Mode().IsRegular() {
			return os.WriteFile(name, data, 0)
		}
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return err
		}
		if !always {
			mode = info.Mode().Perm()
		}
	}
	f, err := createBeside(name, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if statErr == nil {
		// The umask may have taken bits away.
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

// createBeside makes a new file in the same directory.
func createBeside(name string, mode fs.FileMode) (*os.File, error) {
	for i := 0; ; i++ {
		f, err := os.OpenFile(fmt.Sprintf("%s.%d.tmp", name, i), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) || i == 99 {
			return f, err
		}
	}
}
