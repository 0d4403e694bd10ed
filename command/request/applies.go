package request

import (
	"os"
	"path"
	"path/filepath"
	"slices"

	"threeway/command/survey"
	"threeway/merge/disk"
	"threeway/merge/manifest"
)

// others reports whether a file is not among the manifests below directories that have some: it
// is below none of them, or in a chart or beside a kustomization that is there, too.
func others(s *survey.Survey, dirs map[string]bool, file string) bool {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		switch {
		case dirs[dir]:
			return false
		case slices.Contains(s.Charts, dir), slices.ContainsFunc(s.Kustomized, func(k string) bool { return k == dir || path.Dir(k) == dir }):
			return true
		case dir == "." || dir == "/":
			return true
		}
	}
}

// applies reports whether kubectl apply -R may apply something of a file in a directory of
// manifests: an object, live or not, what cannot be read and looks like one, and a pointer of
// Git LFS.
func applies(file string) bool {
	if !manifest.IsManifest(file) {
		return false
	}
	if info, err := os.Stat(filepath.FromSlash(file)); err != nil || info.IsDir() {
		_, err := os.Lstat(filepath.FromSlash(file))
		return err == nil && (info == nil || !info.IsDir()) // a link to nothing
	}
	data, err := disk.ReadFile(filepath.FromSlash(file))
	return err != nil || survey.HasObjects(data)
}
