package lint

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"threeway/command/request"
	"threeway/command/system"
	"threeway/merge/disk"
	"threeway/merge/manifest"
)

// The reasons why lint skips a file, or an object in one.
const (
	liveObjects = "live objects, which have a uid"
	templates   = "templates that are not rendered"
	noObjects   = "no Kubernetes objects"
)

// withoutOtherFiles returns the request without the files that lint is told to
// pass over, which it lists by reason.
func withoutOtherFiles(r *request.Request) (kept *request.Request, skipped map[string][]string) {
	if !r.SkipOtherFiles || !r.PathsAreSet {
		return r, nil
	}
	copied := *r
	copied.Files, skipped = nil, map[string][]string{}
	for _, path := range r.Files {
		if why := otherFile(path, r.Instead); why != "" {
			skipped[why] = append(skipped[why], path)
		} else {
			copied.Files = append(copied.Files, path)
		}
	}
	return &copied, skipped
}

// header is a line that only a manifest begins with.
var header = regexp.MustCompile(`(?m)^apiVersion:`)

// otherFile says why a file holds nothing that can be applied, or was meant to be;
// "" if it does. What is no file is for the reader to judge.
func otherFile(path string, instead func(file string) ([]byte, bool)) string {
	if path == "-" || !system.IsRegular(path) {
		return ""
	}
	export := manifest.ReadSnapshot(manifest.Options{Paths: []string{path}, From: func(string) ([]manifest.File, bool, error) {
		if instead == nil {
			return nil, false, nil
		}
		text, ok := instead(path)
		return []manifest.File{{Name: path, Data: text}}[:min(1, len(text))], ok, nil
	}})
	manifests := func(e *manifest.Entry) bool { return e.UID == "" }
	if len(export.Entries) > 0 && manifest.Err(export.Problems) == nil && !slices.ContainsFunc(export.Entries, manifests) {
		return liveObjects
	}
	set := manifest.Read(manifest.Options{Paths: []string{path}, Instead: instead})
	known := set.Objects
	for _, p := range set.Problems {
		if p.Object != nil && p.Object.Kind.Kind != "" && p.Object.Kind.Version != "" {
			known = append(known, p.Object)
		}
	}
	applied := func(o *manifest.Object) bool { return o.Kind.Group != "kustomize.config.k8s.io" }
	switch {
	case slices.ContainsFunc(known, applied):
		return ""
	case len(known) > 0:
		return noObjects
	}
	data, err := disk.ReadFile(path)
	if instead != nil {
		if text, ok := instead(path); ok {
			data, err = text, nil
		}
	}
	switch {
	case err != nil, !header.Match(data), !strings.Contains(string(data), "\nkind:"):
		if err != nil {
			return ""
		}
		return noObjects
	case strings.Contains(string(data), "{{"):
		return templates
	}
	return ""
}

// skippedNotes name the files that were passed over.
func skippedNotes(skipped map[string][]string) (notes []string) {
	for _, why := range slices.Sorted(maps.Keys(skipped)) {
		notes = append(notes, fmt.Sprintf("skipped (%s): %s", why, strings.Join(skipped[why], ", ")))
	}
	return notes
}
