package request

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"threeway/command/kustomize"
	"threeway/command/survey"
	"threeway/command/system"
	"threeway/merge/disk"
	"threeway/merge/manifest"
)

// aside finds what the change adds or edits below the places of the manifests and that is not
// read: files that git has and the disk has not, links to directories, what a survey leaves out, and
// where it makes a kustomization of them.
func (v *Resolver) aside(r *Request, start *system.Revision, places []string) {
	if r.Staged {
		return // which reads the index
	}
	index, err := system.RevisionAt(v.Context.Context, r.Limits, system.Index, r.Directory)
	if err != nil {
		return
	}
	if r.Survey != nil {
		places = append(places, r.Survey.Roots...)
	}
	for i, p := range places {
		if r.Trusted != nil && !r.FilesGiven && r.Settings.File == "" && system.IsRegular(p) {
			places[i] = filepath.Dir(p) // where manifests are looked for
		}
	}
	within, leaves := system.WithinAny(places), func(string) string { return "" }
	looked := true // for manifests
	switch {
	case r.Survey != nil:
		leaves = r.Survey.Leaves()
	case r.Trusted != nil && r.Trusted.Leaves != nil && !v.Args().Present():
		leaves, within = r.Trusted.Leaves, system.WithinAny(append(places, r.Directory))
	default:
		looked = false
	}
	for _, name := range index.Paths() {
		here := index.Here(name)
		file, edited := filepath.ToSlash(here), !index.SameAs(start, name)
		if !edited && !looked || !within(here) || v.file.Excludes(here) {
			continue
		}
		if dir := path.Dir(name); r.Trusted == nil && edited && slices.Contains(KustomizationFiles, path.Base(name)) && kustomize.FileIn(start, dir) == "" && slices.ContainsFunc(start.Paths(), func(other string) bool {
			return path.Dir(other) == dir && manifest.IsManifest(other) && manifestAt(start, start.Here(other))
		}) {
			r.Kustomized = append(r.Kustomized, path.Dir(file))
		}
		what, isManifest := "", manifest.IsManifest(path.Base(name))
		if isManifest {
			what = leaves(file)
		}
		if !edited && what == "" {
			continue
		}
		info, err := os.Lstat(here)
		switch {
		case err != nil && isManifest && !start.Had(name): // else it is told as removed, or as it was
			if text, _ := index.Read(name); survey.HasObjects(text) {
				what = "git has it and the disk has not"
			}
		case err != nil:
			what = ""
		case info.Mode()&fs.ModeSymlink != 0 && edited && (disk.Files{}).IsDir(here):
			what = "kubectl follows no link to a directory"
		case what != "" && (start.Same(here) || !applies(file)):
			what = ""
		}
		if what != "" {
			r.Aside = append(r.Aside, survey.Other{Path: file, What: what})
		}
	}
}
