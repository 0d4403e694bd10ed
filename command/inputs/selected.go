package inputs

import (
	"fmt"
	"slices"
	"strings"

	"threeway/command/request"
	"threeway/command/settings"
	"threeway/command/system"
	"threeway/merge/manifest"
)

// selected holds the paths that choose what is reported to what was read: one that
// chooses nothing is an error, since silence about it would pass for a good result. A
// hook names whatever has changed, and gets a note.
func selected(r *request.Inputs, set *manifest.Set) (notes []string, err error) {
	for _, p := range set.Problems {
		if p.File == "" {
			return nil, nil // a wrong path, because of which nothing was read
		}
	}
	for _, path := range r.Chosen {
		if slices.ContainsFunc(slices.Concat(r.Gone.Files, r.Gone.Kustomize), func(gone string) bool { return system.Within(path, gone) || system.Within(gone, path) }) {
			continue
		}
		within, found := system.WithinAny([]string{path}), false
		for _, o := range set.Objects {
			found = found || within(o.Origin.File)
		}
		for _, p := range set.Problems {
			found = found || within(p.File)
		}
		if found || r.Part != "" && slices.ContainsFunc(r.NotManifests, within) { // it has overlays, which are parts of their own
			continue
		}
		from := "-f"
		if !r.FilesGiven {
			from = settings.FileName
		}
		text := fmt.Sprintf("%s has none of the manifests of %s (%s)", path, from, strings.Join(r.Files, ", "))
		if r.Sifts && r.Settings.Excludes(path) {
			text = path + " is excluded by " + r.Settings.File
		}
		switch {
		case r.SkipOtherFiles:
			notes = append(notes, "skipped: "+text)
		case request.Exported([]string{path}):
			return nil, fmt.Errorf("%s, so it chooses nothing to report; pass a snapshot with --live %s", text, path)
		case !r.AllowEmpty:
			return nil, fmt.Errorf("%s, so it chooses nothing to report; to read it as a manifest, pass -f %s", text, path)
		}
	}
	return notes, nil
}

// leftOut says what -f names and gives no manifest, as kubectl does not.
func leftOut(r *request.Inputs, set *manifest.Set) (notes []string) {
	if len(r.Files) > 1 && len(set.Objects) > 0 && !r.SkipOtherFiles {
		for _, path := range r.Files {
			if strings.ContainsAny(path, "*?[") || slices.Contains(r.Gone.Files, path) {
				continue // a pattern that matches nothing is an error
			}
			within := system.WithinAny([]string{path})
			has := func(file string) bool { return within(file) || path == "-" && file == manifest.Stdin }
			if !slices.ContainsFunc(set.Objects, func(o *manifest.Object) bool { return has(o.Origin.File) }) &&
				!slices.ContainsFunc(set.Problems, func(p manifest.Problem) bool { return p.File == "" || has(p.File) }) {
				notes = append(notes, fmt.Sprintf("%s has no manifests", path))
			}
		}
	}
	return notes
}
