package system

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// WithinAny returns a function that reports whether a file is one of the paths
// or below one.
func WithinAny(paths []string) func(file string) bool {
	here := Absolute(".")
	join := func(path string) string {
		if filepath.IsAbs(path) {
			return filepath.Clean(path)
		}
		return filepath.Join(here, path)
	}
	tops := make([]string, len(paths))
	for i, p := range paths {
		tops[i] = join(p)
	}
	return func(file string) bool {
		file = join(file)
		return slices.ContainsFunc(tops, func(top string) bool {
			rel, err := filepath.Rel(top, file)
			return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
		})
	}
}

// Within reports whether a file is the path or below it.
func Within(file, path string) bool { return WithinAny([]string{path})(file) }

// Absolute returns the absolute form of a path, or the path itself if the
// working directory is unknown.
func Absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// Relative returns a path relative to the working directory, if that is
// shorter.
func Relative(path string) string {
	dir, err := os.Getwd()
	if err != nil {
		return path
	}
	return relativeTo(dir, Absolute(path), path)
}

// relativeTo returns an absolute path relative to a directory, or else as it is called.
func relativeTo(dir, path, called string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return called
}
