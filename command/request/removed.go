package request

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"threeway/command/survey"
	"threeway/command/system"
	"threeway/merge/manifest"
)

func onDisk(at *system.Revision) func(file string) bool {
	return func(file string) bool {
		_, err := os.Lstat(at.Here(file))
		return err == nil
	}
}

// GoneFiles are the manifests that a revision has and the disk no longer has.
func GoneFiles(at *system.Revision) (files []manifest.File) {
	gone, _ := removed(at, onDisk(at))
	for _, here := range gone {
		text, _ := at.Read(at.At(here))
		files = append(files, manifest.File{Name: at.Name(at.At(here)), Data: text})
	}
	return files
}

// removed are the manifests and the overlays that a revision has and that are not there any
// more.
func removed(at *system.Revision, there func(file string) bool) (files, overlays []string) {
	var kustomizations, gone []string
	some := false
	for _, file := range at.Paths() {
		isKustomization := slices.Contains(KustomizationFiles, path.Base(file))
		if isKustomization {
			kustomizations = append(kustomizations, file)
		}
		if !isKustomization && !manifest.IsManifest(file) || there(file) || slices.ContainsFunc(strings.Split(filepath.ToSlash(at.Here(file)), "/"), survey.Passed) {
			continue
		}
		some = true
		if !isKustomization {
			gone = append(gone, file)
		}
	}
	if !some {
		return nil, nil
	}
	at.Load(slices.Concat(kustomizations, gone))
	var dirs []string
	for _, file := range kustomizations {
		dirs = append(dirs, path.Dir(file))
	}
	applied, named := survey.Overlays(at, dirs)
	for _, dir := range applied {
		if !slices.ContainsFunc(KustomizationFiles, func(name string) bool { return there(path.Join(dir, name)) }) {
			overlays = append(overlays, filepath.ToSlash(at.Here(dir)))
		}
	}
	named = append(named, besideKustomizations(at, gone)...)
	for _, file := range gone {
		inChart := false
		for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
			inChart = inChart || at.HasFile(dir+"/Chart.yaml")
		}
		if here := at.Here(file); !inChart && !slices.Contains(named, file) && manifestAt(at, here) {
			files = append(files, filepath.ToSlash(here))
		}
	}
	return files, overlays
}

// besideKustomizations are the files beside a kustomization that names files.
func besideKustomizations(at *system.Revision, files []string) (beside []string) {
	names := map[string]bool{}
	for _, file := range files {
		dir := path.Dir(file)
		if _, seen := names[dir]; !seen {
			names[dir] = survey.Names(at, dir)
		}
		if names[dir] {
			beside = append(beside, file)
		}
	}
	return beside
}
