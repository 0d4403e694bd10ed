package system

import (
	"os"
	"path/filepath"
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
	tops := make(map[string]bool, len(paths))
	for _, p := range paths {
		tops[caseless(join(p))] = true
	}
	return func(file string) bool {
		for at := caseless(join(file)); ; at = filepath.Dir(at) {
			if tops[at] || at == filepath.Dir(at) {
				return tops[at]
			}
		}
	}
}

// caseless is a path by which names are compared: Windows takes both cases for the same.
func caseless(path string) string {
	if filepath.Separator == '\\' {
		return strings.ToLower(path)
	}
	return path
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
