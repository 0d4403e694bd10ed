package command

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"threeway/merge/disk"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// The reasons why lint skips a file, or an object in one.
const (
	liveObjects = "live objects, which have a uid"
	templates   = "templates that are not rendered"
	noObjects   = "no Kubernetes objects"
)

// withoutOtherFiles returns the request without the files that lint is told to
// pass over, which it lists by reason.
func withoutOtherFiles(r *Request) (kept *Request, skipped map[string][]string) {
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
	if path == "-" || !isRegular(path) {
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

// isLive reports whether an object is one of a snapshot.
func isLive(o *manifest.Object) bool { return tree.Has(o.Tree, "metadata", "uid") }

// skipLive removes the live objects that stand beside manifests in a file.
func skipLive(set *manifest.Set) (notes []string) {
	mixed := map[string]bool{}
	for _, o := range set.Objects {
		mixed[o.Origin.File] = mixed[o.Origin.File] || !isLive(o)
	}
	skips := func(o *manifest.Object) bool { return isLive(o) && mixed[o.Origin.File] }
	for _, o := range set.Objects {
		if skips(o) {
			notes = append(notes, fmt.Sprintf("skipped: %s, line %d, is a live object, which has a uid: %s", o.Origin.File, o.Origin.Line, o.ID()))
		}
	}
	set.Objects, set.Checked = slices.DeleteFunc(set.Objects, skips), slices.DeleteFunc(set.Checked, skips)
	return notes
}

// isRegular reports whether a path leads to a file that can be read again.
func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// skippedNotes name the files that were passed over.
func skippedNotes(skipped map[string][]string) (notes []string) {
	for _, why := range slices.Sorted(maps.Keys(skipped)) {
		notes = append(notes, fmt.Sprintf("skipped (%s): %s", why, strings.Join(skipped[why], ", ")))
	}
	return notes
}
