package disk

import (
	"os"
	"path/filepath"
)

// Files are those of the disk, by their paths from the working directory.
type Files struct{}

// Read is ReadFile; ok is false if the file cannot be read.
func (Files) Read(file string) (text []byte, ok bool) {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	text, err := ReadFile(file)
	return text, err == nil
}

// IsDir reports whether there is a directory.
func (Files) IsDir(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

// Real is the path of a directory without links, or the path itself.
func (Files) Real(dir string) string {
	if real, err := Real(dir); err == nil {
		return filepath.ToSlash(real)
	}
	return dir
}

// Name is the path.
func (Files) Name(file string) string { return file }
