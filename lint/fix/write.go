package fix

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// locate follows the links of a file's name, which must lead to a file that
// can be written, below root; of a file that is named outside of it, to where
// it is named.
func locate(name, root string) (target string, mode os.FileMode, err error) {
	if target, err = filepath.EvalSymlinks(name); err != nil {
		return "", 0, err
	}
	if target, err = filepath.Abs(target); err != nil {
		return "", 0, err
	}
	named, err := filepath.Abs(name)
	if err != nil {
		return "", 0, err
	}
	if !below(named, root) {
		root = filepath.Dir(named)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return "", 0, err
	}
	if !below(target, root) {
		return "", 0, fmt.Errorf("the file is a link that leads out of %s", filepath.Base(root))
	}
	info, err := os.Lstat(target)
	switch {
	case err != nil:
		return "", 0, err
	case !info.Mode().IsRegular():
		return "", 0, errors.New("it is no regular file")
	case info.Mode().Perm()&0o200 == 0:
		return "", 0, errors.New("the file is read-only")
	}
	return target, info.Mode(), nil
}

func below(file, dir string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// Write puts the new text in the place of the old one, at once: whoever reads
// the file sees either. On any failure the old file stays as it was.
func (c *Change) Write() (err error) {
	dir, base := filepath.Split(c.file.target)
	temp, err := os.CreateTemp(dir, "."+base+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			temp.Close()
			os.Remove(temp.Name())
		}
	}()
	if _, err = temp.Write(c.New); err != nil {
		return err
	}
	if err = temp.Chmod(c.file.mode); err != nil {
		return err
	}
	if err = temp.Sync(); err != nil {
		return err
	}
	if err = temp.Close(); err != nil {
		return err
	}
	if now, err := os.ReadFile(c.file.target); err != nil || !bytes.Equal(now, c.Old) {
		return errors.New("the file has changed since it was read")
	}
	return os.Rename(temp.Name(), c.file.target)
}
