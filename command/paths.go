package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// withinAny reports whether a file is one of the paths or below it.
func withinAny(paths []string) func(file string) bool {
	here := absolute(".")
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

// within reports whether a file is the path or below it.
func within(file, path string) bool { return withinAny([]string{path})(file) }

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// relative writes a path from the working directory, if that is shorter.
func relative(path string) string {
	dir, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(dir, absolute(path)); err == nil && len(rel) < len(absolute(path)) {
		return rel
	}
	return path
}
