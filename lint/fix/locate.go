package fix

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// locate follows the links of a file name. They must lead to a file, which is writable
// unless changes are only shown, below root, or, if the name itself is outside of root, to a file in or below
// the directory of that name.
func locate(name, root string, shown bool) (target string, err error) {
	if target, err = filepath.EvalSymlinks(name); err != nil {
		return "", err
	}
	if target, err = filepath.Abs(target); err != nil {
		return "", err
	}
	named, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	if !below(named, root) {
		root = filepath.Dir(named)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return "", err
	}
	info, err := os.Lstat(target)
	switch {
	case err != nil:
		return "", err
	case !below(target, root):
		return "", fmt.Errorf("the file is a link that points outside of the directory %s", filepath.Base(root))
	case !info.Mode().IsRegular():
		return "", errors.New("it is not a regular file")
	case !shown && info.Mode().Perm()&0o200 == 0:
		return "", errors.New("the file is read-only")
	}
	return target, nil
}

func below(file, dir string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// Stale returns an error if the file has changed since the change was computed.
// Call it right before writing the change.
func (c *Change) Stale() error {
	now, err := os.ReadFile(c.Target)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, c.Old) {
		return errors.New("the file has changed since it was read")
	}
	return nil
}
