package manifest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// liveFile is a file of a snapshot.
type liveFile struct {
	name string
	// folder is the directory in which the file was found; "" if the file was
	// named itself.
	folder string
	// data is its text if given is set.
	data  []byte
	given bool
}

// liveFiles lists the files of a snapshot, including all files in its
// directories.
func liveFiles(opts Options) (files []liveFile, problems []Problem) {
	for _, path := range opts.Paths {
		if opts.From != nil {
			given, ok, err := opts.From(path)
			for _, g := range given {
				f := liveFile{name: g.Name, data: g.Data, given: true}
				if filepath.Clean(g.Name) != filepath.Clean(path) {
					f.folder = path
				}
				files = append(files, f)
			}
			if err != nil {
				problems = append(problems, Problem{Text: "error reading " + path + ": " + err.Error()})
			}
			if ok || err != nil {
				continue
			}
		}
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			names, wrong := expand([]string{path}, opts.Recursive, nil)
			problems = append(problems, wrong...)
			for _, name := range names {
				f := liveFile{name: name}
				if strings.ContainsAny(path, "*?[") {
					f.folder = filepath.Dir(path)
				}
				files = append(files, f)
			}
			continue
		}
		err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && name != path && (!opts.Recursive || entry.Name() == ".git"):
				return filepath.SkipDir
			case !entry.IsDir():
				files = append(files, liveFile{name: name, folder: path})
			}
			return nil
		})
		if err != nil {
			problems = append(problems, Problem{Text: "error reading " + path + ": " + err.Error()})
		}
	}
	return files, problems
}
