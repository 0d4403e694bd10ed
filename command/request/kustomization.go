package request

import (
	"path/filepath"
	"slices"

	"threeway/command/system"
)

// KustomizationFiles are the names of the file that makes a directory one for -k.
var KustomizationFiles = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// KustomizationOf is the directory of the kustomization that a value of -f names,
// by the directory or the file; "" if it names none.
func KustomizationOf(path string) string {
	if slices.Contains(KustomizationFiles, filepath.Base(path)) && system.IsRegular(path) {
		return filepath.Dir(path)
	}
	for _, name := range KustomizationFiles {
		if system.IsRegular(filepath.Join(path, name)) {
			return filepath.Clean(path)
		}
	}
	return ""
}

// ChartOf is the directory of the Helm chart that a value of -f names: by the
// directory, its Chart.yaml, or the templates in it; "" if it names none.
func ChartOf(path string) string {
	path = filepath.Clean(path)
	for _, dir := range []string{path, filepath.Dir(path)} {
		inside := dir == path || slices.Contains([]string{"Chart.yaml", "templates"}, filepath.Base(path))
		if inside && system.IsRegular(filepath.Join(dir, "Chart.yaml")) {
			return dir
		}
	}
	return ""
}
