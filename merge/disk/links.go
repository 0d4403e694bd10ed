package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is the number of symbolic links on a path at which Linux gives up, too.
const maxLinks = 40

// Real returns a path without symbolic links, for a file to write, which need not exist,
// but is no link to nothing. The error is ErrOutside if a link in a repository, or below the
// working directory, leads out of it or into a directory of git; real then says where.
func Real(name string) (real string, err error) {
	real, _, err = follow(absolute(name))
	return real, err
}

// follow is Real. owned reports whether a link on the path is in a repository, or below
// the top of the working directory.
func follow(path string) (real string, owned bool, err error) {
	top, realTop, rest := Top("."), "", path
	if filepath.Dir(top) != top && top != "" {
		if realTop, err = filepath.EvalSymlinks(top); err != nil {
			return "", true, err
		}
		if below, inside := strings.CutPrefix(path+string(filepath.Separator), top+string(filepath.Separator)); inside {
			real, rest = realTop, below
		}
	}
	split := func(text string) []string {
		if volume := filepath.VolumeName(text); filepath.IsAbs(text) {
			real, text = volume+string(filepath.Separator), text[len(volume):]
		}
		return strings.Split(filepath.ToSlash(text), "/")
	}
	var owners []string
	var nothing error
	links := 0
	for parts := split(rest); len(parts) > 0; {
		part := parts[0]
		parts = parts[1:]
		at := filepath.Join(real, part) // for "", "." and "..", too
		target, err := os.Readlink(at)
		if err != nil {
			if real = at; nothing == nil && !errors.Is(err, fs.ErrNotExist) {
				if _, err = os.Lstat(at); err != nil {
					return at, len(owners) > 0, err
				}
			}
			continue
		}
		if links++; links > maxLinks {
			return path, true, &fs.PathError{Op: "open", Path: path, Err: errors.New("too many levels of symbolic links")}
		}
		if _, err := os.Stat(at); errors.Is(err, fs.ErrNotExist) {
			nothing = &fs.PathError{Op: "open", Path: path, Err: errors.New("a symbolic link here leads to a file that does not exist; remove it first")}
		}
		for _, owner := range []string{project(real), realTop} {
			if owner != "" && below(real, owner) {
				owners = append(owners, owner)
			}
		}
		parts = append(split(target), parts...)
	}
	for _, owner := range owners {
		if !below(real, owner) || inGitDirectory(real) && !InGit(path) {
			return real, true, ErrOutside
		}
	}
	return real, len(owners) > 0, nothing
}

// inGitDirectory is InGit of a path without links, and of directories of git by other names:
// of a bare repository, or where a .git file says.
func inGitDirectory(real string) bool {
	if InGit(real) {
		return true
	}
	exists := func(names ...string) bool {
		_, err := os.Stat(filepath.Join(names...))
		return err == nil
	}
	for dir := real; ; dir = filepath.Dir(dir) {
		if exists(dir, "HEAD") && (exists(dir, "commondir") || exists(dir, "objects") && exists(dir, "refs")) {
			return true
		}
		if filepath.Dir(dir) == dir {
			return false
		}
	}
}
