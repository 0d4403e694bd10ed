package request

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"threeway/merge/manifest"
)

// Surveyed is what a survey finds: files, with slashes.
type Surveyed struct {
	Manifests, Snapshots []string
	// Overlays are the kustomizations that no other one is made of, and Charts the
	// directories of Helm charts.
	Overlays, Charts []string
}

// Places names files by the directories that have them and none of the others,
// one for each directory of the top.
func Places(files, others []string) []string {
	common := map[string]string{} // by the first part of the path
	for _, file := range files {
		first, _, _ := strings.Cut(file, "/")
		dir := path.Dir(file) + "/"
		for before, ok := common[first]; ok && !strings.HasPrefix(dir, before); {
			before = path.Dir(strings.TrimSuffix(before, "/")) + "/"
			common[first] = before
		}
		if _, ok := common[first]; !ok {
			common[first] = dir
		}
	}
	var list []string
	for _, file := range files {
		first, _, _ := strings.Cut(file, "/")
		place := common[first]
		if place == "./" || slices.ContainsFunc(others, func(other string) bool { return strings.HasPrefix(other, place) }) {
			place = file
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
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != root && Passed(name):
			return fs.SkipDir
		case name == "Chart.yaml":
			found.Charts = append(found.Charts, path.Dir(filepath.ToSlash(file)))
		case slices.Contains(KustomizationFiles, name):
			found.Overlays = append(found.Overlays, path.Dir(filepath.ToSlash(file)))
		case d.Type().IsRegular() && slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name)):
			found.file(filepath.ToSlash(file))
		}
		return nil
	})
	found.Settle()
	return found, err
}

// Settle leaves of the kustomizations those that are applied, and of the manifests those
// that are in no kustomization and no chart.
func (s *Surveyed) Settle() {
	all := s.Overlays
	var named []string
	s.Overlays, named = Overlays(all)
	s.Manifests = slices.DeleteFunc(s.Manifests, func(file string) bool {
		return slices.Contains(named, file) || slices.ContainsFunc(s.Charts, func(dir string) bool { return dir == "." || strings.HasPrefix(file, dir+"/") })
	})
}

// file sorts a file: live objects have uids.
func (s *Surveyed) file(name string) {
	entries := manifest.ReadSnapshot(manifest.Options{Paths: []string{name}}).Entries
	switch {
	case len(entries) == 0:
	case entries[0].UID != "":
		s.Snapshots = append(s.Snapshots, name)
	default:
		s.Manifests = append(s.Manifests, name)
	}
}
