package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"threeway/merge/disk"
	"threeway/merge/text/phrase"
)

// Stdin is what kubectl calls standard input in its messages.
const Stdin = "STDIN"

// fileExtensions are the extensions of files that are read from directories;
// they are case-sensitive.
var fileExtensions = []string{".json", ".yaml", ".yml"}

// expand lists the files that kubectl reads for the paths, in its order, as
// Builder.FilenameParam and ExpandPathsToFileVisitors do. It continues after a
// problem, so that one run reports all wrong paths. Of directories it leaves
// out what except names.
func expand(paths []string, recursive bool, except func(file string) bool) (files []string, problems []Problem) {
	fail := func(format string, args ...any) {
		problems = append(problems, Problem{Text: fmt.Sprintf(format, args...)})
	}
	for _, p := range paths {
		switch {
		case p == "-":
			if slices.Contains(files, Stdin) {
				fail("standard input cannot be used for multiple arguments")
			}
			files = append(files, Stdin)
		case strings.HasPrefix(p, "http://"), strings.HasPrefix(p, "https://"):
			fail("%q is a URL, and threeway downloads nothing: download it first, and pass the file, or - for stdin", p)
		default:
			matches, err := glob(p)
			if err != nil {
				fail("%v", err)
				continue
			}
			for _, m := range matches {
				found, err := walk(m, recursive, except)
				files = append(files, found...)
				if err != nil {
					fail("%v", err)
				}
			}
			if len(files) == 0 && len(problems) == 0 {
				below := ""
				if more, err := walk(matches[0], true, except); err == nil && len(more) > 0 {
					below = "; pass -R to read the directories in it"
				}
				fail("error reading %v: recognized file extensions are %v%s", matches, fileExtensions, below)
			}
		}
	}
	return files, problems
}

// glob returns the path itself if it exists; otherwise it treats the path as a
// pattern.
func glob(path string) ([]string, error) {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return []string{path}, nil
	}
	matches, err := filepath.Glob(path)
	if err != nil {
		return nil, fmt.Errorf("pattern %q is not valid: %w", path, err)
	}
	if len(matches) == 0 {
		return nil, fmt.Errorf("the path %q does not exist%s", path, Near(path))
	}
	return matches, nil
}

// Near asks for the file beside a missing one whose name is spelled almost like it.
func Near(path string) string {
	entries, _ := disk.ReadDir(filepath.Dir(path))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if near := phrase.Nearest(filepath.Base(path), names); near != "" {
		return "; did you mean " + filepath.Join(filepath.Dir(path), near) + "?"
	}
	return ""
}

// walk lists the files under root: root itself with any extension, and in
// directories the files with a known extension. filepath.Walk does not follow
// symbolic links, so a linked directory is a "file" that cannot be read.
func walk(root string, recursive bool, except func(file string) bool) (files []string, err error) {
	if _, err := os.Stat(root); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the path %q does not exist", root)
	} else if err != nil {
		return nil, fmt.Errorf("the path %q cannot be accessed: %w", root, err)
	}
	err = filepath.Walk(root, func(path string, info fs.FileInfo, err error) error {
		switch {
		case err != nil:
			return err
		case info.IsDir() && path != root && !recursive:
			return filepath.SkipDir
		case info.IsDir():
			return nil
		case path == root || IsManifest(path) && (except == nil || !except(path)):
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("error reading %q: %w", root, err)
	}
	return files, nil
}
