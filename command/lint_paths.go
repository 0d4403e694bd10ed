package command

import (
	"os"
	"regexp"
	"slices"
	"strings"

	"threeway/merge/manifest"
)

// withoutOtherFiles returns the request without the files that lint is told to
// pass over, which it lists.
func (r *Request) withoutOtherFiles() (kept *Request, skipped []string) {
	if !r.SkipOtherFiles || !r.PathsAreSet {
		return r, nil
	}
	copied := *r
	copied.Files = nil
	for _, path := range r.Files {
		if holdsObjects(path, r.Instead) {
			copied.Files = append(copied.Files, path)
		} else {
			skipped = append(skipped, path)
		}
	}
	return &copied, skipped
}

// header is a line that only a manifest begins with.
var header = regexp.MustCompile(`(?m)^apiVersion:`)

// holdsObjects reports whether a file holds objects that can be applied, or was
// meant to; those of a snapshot cannot. What is no file is for the reader to judge.
func holdsObjects(path string, instead func(file string) ([]byte, bool)) bool {
	if path == "-" || !isRegular(path) {
		return true
	}
	if exported([]string{path}) {
		return false
	}
	set := manifest.Read(manifest.Options{Paths: []string{path}, Instead: instead})
	known := set.Objects
	for _, p := range set.Problems {
		if p.Object != nil && p.Object.Kind.Kind != "" && p.Object.Kind.Version != "" {
			known = append(known, p.Object)
		}
	}
	if len(known) > 0 {
		return slices.ContainsFunc(known, func(o *manifest.Object) bool { return o.Kind.Group != "kustomize.config.k8s.io" })
	}
	data, err := os.ReadFile(path)
	if instead != nil {
		if text, ok := instead(path); ok {
			data = text
		}
	}
	template := strings.Contains(string(data), "{{")
	return err != nil || header.Match(data) && strings.Contains(string(data), "\nkind:") && !template
}

// isRegular reports whether a path leads to a file that can be read again.
func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// skippedNote names the files that were passed over.
func skippedNote(files []string) string {
	return "skipped, because they hold templates, live objects or no Kubernetes objects: " + strings.Join(files, ", ")
}
