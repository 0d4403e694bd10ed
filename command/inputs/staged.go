package inputs

import (
	"context"
	"fmt"
	"slices"

	"threeway/command/request"
	"threeway/command/system"
	"threeway/merge/manifest"
)

// staged are the files of paths as the next commit has them.
func staged(ctx context.Context, r *request.Inputs, paths []string) ([]manifest.File, []manifest.Problem, error) {
	files, problems, absent, err := system.FilesAt(ctx, r.Limits, system.Index, paths, r.Recursive, r.NotManifests)
	if err != nil {
		return nil, nil, fmt.Errorf("--staged: %v", err)
	}
	if index, err := system.RevisionAt(ctx, r.Limits, system.Index, r.Directory); err == nil { // a submodule is a gap
		absent = slices.DeleteFunc(absent, func(p string) bool { return index.Submodules()[index.At(p)] != "" })
	}
	if len(absent) > 0 {
		return nil, nil, fmt.Errorf("--staged: git's index has no manifests at %s; add them first: git add, or remove the path", absent[0])
	}
	return files, problems, nil
}

// FromIndex reads the texts of git's index instead of the disk's.
func FromIndex(ctx context.Context, r *request.Inputs) (instead func(file string) ([]byte, bool), err error) {
	files, _, err := staged(ctx, r, r.Present())
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	for _, f := range files {
		texts[system.Absolute(f.Name)] = f.Data
	}
	return func(file string) ([]byte, bool) {
		text, ok := texts[system.Absolute(file)]
		return text, ok
	}, nil
}
