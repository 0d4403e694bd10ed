package request

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"threeway/command/kustomize"
	"threeway/command/system"
	"threeway/merge/disk"
	"threeway/merge/manifest"
)

// Surveyed is what a survey finds: files, with slashes.
type Surveyed struct {
	Manifests, Snapshots []string
	// Overlays are the kustomizations that no other one is made of, and Charts the
	// directories of Helm charts.
	Overlays, Charts []string
	// Parts are the files of kustomizations, and the charts.
	Parts []string
	// kustomized are all directories with a kustomization.
	kustomized []string
	// objects are all files with objects that are no snapshots.
	objects []string
}

// Places are where the manifests are.
func (s *Surveyed) Places() []string { return places(s.Manifests, slices.Concat(s.Snapshots, s.Parts)) }

// Exports are where the snapshots are.
func (s *Surveyed) Exports() []string {
	return places(s.Snapshots, slices.Concat(s.Manifests, s.Parts))
}

// places names files by the directories that have them and none of the others: the
// innermost ones, or files where there is none.
func places(files, others []string) []string {
	outermost := func(file string) string {
		for i, c := range file {
			if dir := file[:i+1]; c == '/' && !slices.ContainsFunc(others, func(other string) bool { return strings.HasPrefix(other, dir) }) {
				return dir
			}
		}
		return file
	}
	common := map[string]string{} // by the outermost directory
	for _, file := range files {
		top, dir := outermost(file), path.Dir(file)+"/"
		before, ok := common[top]
		for ok && !strings.HasPrefix(dir, before) {
			before = path.Dir(strings.TrimSuffix(before, "/")) + "/"
		}
		if common[top] = before; !ok {
			common[top] = dir
		}
	}
	var list []string
	for _, file := range files {
		place := outermost(file)
		if place != file {
			place = common[place]
		}
		if !slices.Contains(list, place) {
			list = append(list, place)
		}
	}
	return list
}

// Survey looks at the files below a directory, without hidden directories, those of
// dependencies and test data.
func Survey(root string) (*Surveyed, error) {
	found := &Surveyed{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != root && Passed(d.Name()):
			return fs.SkipDir
		case found.Holds(file) && d.Type().IsRegular():
			entries := manifest.ReadSnapshot(manifest.Options{Paths: []string{file}}).Entries
			if len(entries) > 0 {
				found.Sort(file, entries[0].UID != "")
			}
		}
		return nil
	})
	found.Settle(disk.Files{})
	return found, err
}

// Holds takes what makes a directory a chart or a kustomization. It reports whether
// another file may hold objects, which Sort then takes.
func (s *Surveyed) Holds(file string) bool {
	dir, name := path.Split(filepath.ToSlash(file))
	switch {
	case name == "Chart.yaml":
		s.Charts = append(s.Charts, path.Clean(dir))
	case slices.Contains(KustomizationFiles, name):
		s.Overlays = append(s.Overlays, path.Clean(dir))
	default:
		return !Passed(name) && manifest.IsManifest(name)
	}
	return false
}

// Sort takes a file with objects: live ones, which have uids, or manifests.
func (s *Surveyed) Sort(file string, live bool) {
	if file = filepath.ToSlash(file); live {
		s.Snapshots = append(s.Snapshots, file)
		return
	}
	s.Manifests, s.objects = append(s.Manifests, file), append(s.objects, file)
}

// Settle leaves of the kustomizations those that are applied, and of the manifests those
// that are in no kustomization and no chart.
func (s *Surveyed) Settle(files kustomize.Files) {
	all := s.Overlays
	s.kustomized = all
	s.Overlays, s.Parts = Overlays(files, all)
	named := s.Parts
	for _, dir := range s.Charts {
		s.Parts = append(s.Parts, dir+"/")
	}
	s.Manifests = slices.DeleteFunc(s.Manifests, func(file string) bool {
		return slices.Contains(named, file) || slices.ContainsFunc(s.Charts, func(dir string) bool { return under(dir, file) })
	})
}

// Removed adds what a revision has and the disk no longer has: manifests, and overlays that
// are at no other path now.
func (s *Surveyed) Removed(at *system.Revision) {
	files, dirs := removed(at, onDisk(at))
	new := slices.DeleteFunc(slices.Clone(s.Overlays), func(dir string) bool { return kustomize.FileIn(at, at.At(dir)) != "" })
	moved := slices.Collect(maps.Values(renamed(at, new, dirs)))
	s.Overlays = append(s.Overlays, slices.DeleteFunc(dirs, func(dir string) bool { return slices.Contains(moved, dir) })...)
	s.Manifests = append(s.Manifests, files...)
}

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
		if !isKustomization && !manifest.IsManifest(file) || there(file) || slices.ContainsFunc(strings.Split(filepath.ToSlash(at.Here(file)), "/"), Passed) {
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
	applied, named := Overlays(at, dirs)
	for _, dir := range applied {
		if !slices.ContainsFunc(KustomizationFiles, func(name string) bool { return there(path.Join(dir, name)) }) {
			overlays = append(overlays, filepath.ToSlash(at.Here(dir)))
		}
	}
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

// under reports whether a file is below a directory.
func under(dir, file string) bool { return dir == "." || strings.HasPrefix(file, dir+"/") }
