package request

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"threeway/merge/disk"
	"threeway/merge/manifest"
	"threeway/merge/text/source"
)

// others reports whether a file is not among the manifests below directories that have some: it
// is below none of them, or in a chart or beside a kustomization that is there, too.
func (s *Surveyed) others(dirs map[string]bool, file string) bool {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		switch {
		case dirs[dir]:
			return false
		case slices.Contains(s.Charts, dir), slices.ContainsFunc(s.kustomized, func(k string) bool { return k == dir || path.Dir(k) == dir }):
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
	return err != nil || HasObjects(data)
}

// begun is what only a file with objects has, readable or not.
var begun = regexp.MustCompile(`(?s)apiVersion.*kind|kind.*apiVersion`)

// separator begins a document.
var separator = regexp.MustCompile(`(?m)^---`)

// HasObjects reports whether a text has an object in any of its documents, also behind one
// that has none, or may have one.
func HasObjects(data []byte) bool {
	if bytes.HasPrefix(data, []byte("version https://git-lfs.github.com/spec/")) {
		return true
	}
	text := strings.ReplaceAll(source.DecodeText(data), "\r", "\n")
	for _, document := range append(separator.Split(text, -1), text) {
		set := manifest.ReadFiles([]manifest.File{{Name: "document", Data: []byte(document)}}, manifest.Limits{})
		for _, o := range set.Objects {
			if o.Kind.Group != "kustomize.config.k8s.io" {
				return true
			}
		}
		for _, p := range set.Problems {
			if p.Severity == manifest.Error && (p.Object == nil && begun.MatchString(document) || p.Object != nil && p.Object.Kind.Kind != "" && p.Object.Kind.Group != "kustomize.config.k8s.io") {
				return true
			}
		}
	}
	return false
}
