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
	// Parts are the files of kustomizations, and the charts.
	Parts []string
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
		case d.Type().IsRegular() && !Passed(name) && slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name)):
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
	s.Overlays, s.Parts = Overlays(all)
	named := s.Parts
	for _, dir := range s.Charts {
		s.Parts = append(s.Parts, dir+"/")
	}
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
