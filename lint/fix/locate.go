package fix

import (
	"bytes"
	"errors"
	"os"

	"threeway/merge/disk"
)

// locate follows the links of a file name, as disk.Real does. They must lead to a file, which
// is writable unless changes are only shown.
func locate(name string, shown bool) (target string, err error) {
	if target, err = disk.Real(name); errors.Is(err, disk.ErrOutside) {
		return "", errors.New("the file is a link that points outside of the repository or working directory, or into .git")
	}
	if err != nil {
		return "", err
	}
	info, err := os.Lstat(target)
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", errors.New("it is not a regular file")
	case !shown && info.Mode().Perm()&0o200 == 0:
		return "", errors.New("the file is read-only")
	}
	return target, nil
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
