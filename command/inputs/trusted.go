package inputs

import (
	"fmt"
	"slices"

	"threeway/command/request"
	"threeway/lint"
	"threeway/merge/disk"
	"threeway/merge/manifest"
)

// ReadTrusted is the text of a file as it counts: that of the revision of --trust, or of the
// disk.
func ReadTrusted(r *request.Inputs, file string) ([]byte, error) {
	if r.Trusted != nil {
		files, ok, err := r.Trusted.Files(file)
		if err != nil {
			return nil, err
		}
		if ok && len(files) == 1 {
			return files[0].Data, nil
		}
	}
	return disk.ReadFile(file)
}

// Trusted are the manifests before the change, whose suppressions count; nil if all do.
func Trusted(r *request.Inputs) (*lint.Trusted, error) {
	if r.Trusted == nil {
		return nil, nil
	}
	files, err := r.Trusted.Manifests(r.Files, r.Recursive)
	if err != nil {
		return nil, fmt.Errorf("--trust %s: %v", r.Trusted.Name, err)
	}
	texts := map[string]string{}
	for _, f := range files {
		texts[f.Name] = string(f.Data)
	}
	return &lint.Trusted{Name: r.Trusted.Name, Objects: manifest.ReadFiles(files, r.Limits).Objects, Source: func(file string) string { return texts[file] }}, nil
}

// lastManifests reads --last-applied as manifests.
func lastManifests(r *request.Inputs) (*manifest.Set, error) {
	set := &manifest.Set{}
	for _, path := range r.LastApplied {
		read := manifest.Options{Paths: []string{path}, Recursive: true, Limits: r.Limits}
		part := (*manifest.Set)(nil)
		if r.Trusted != nil {
			files, ok, err := r.Trusted.Files(path)
			if err != nil {
				return nil, err
			}
			if ok {
				part = manifest.ReadFiles(slices.DeleteFunc(files, func(f manifest.File) bool { return !manifest.IsManifest(f.Name) }), r.Limits)
			}
		}
		if part == nil {
			part = manifest.Read(read)
		}
		set.Add(part)
	}
	return set, Unreadable(set.Problems)
}
