package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// base is the release whose facts win, and the only one whose aggregator types
// and served paths are read.
var base = patches{"37.2", "37.2"}

// others are the releases that only add what base does not have and bound what
// it has, in the order in which their facts are preferred. The first is not released yet.
var others = []patches{
	{"38.0-beta.0", "38.0-beta.0"}, {"36.3", "36.3"}, {"35.10", "35.4"}, {"34.13", "34.4"}, {"33.13", "33.13"}, {"32.13", "32.13"}, {"31.14", "31.14"}, {"30.14", "30.14"},
	{"29.15", ""}, {"28.15", ""},
}

// patches are those of a minor that it is read from: of the staging
// modules, and of Kubernetes, which has the internal types and of which the
// proxy lists fewer.
type patches struct{ staging, kubernetes string }

// stagingModules are read in every release, aggregator and apiserver in base alone.
var stagingModules = []string{"k8s.io/api", "k8s.io/apimachinery", "k8s.io/apiextensions-apiserver"}

const (
	aggregator  = "k8s.io/kube-aggregator"
	definitions = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// release is the Go sources of one Kubernetes release.
type release struct {
	minor    int
	dirs     map[string]string // module path to directory
	packages map[string]*pkg   // by import path; nil if there is none
	on       map[string]bool   // feature gates; nil until they are read
}

// load finds the sources of all releases, base first.
func load() ([]*release, error) {
	var releases []*release
	for i, from := range append([]patches{base}, others...) {
		r := &release{dirs: map[string]string{}, packages: map[string]*pkg{}}
		if _, err := fmt.Sscanf(from.staging, "%d.", &r.minor); err != nil {
			return nil, err
		}
		versions := map[string]string{}
		for _, m := range stagingModules {
			versions[m] = "v0." + from.staging
		}
		if i == 0 {
			versions[aggregator], versions[apiserver] = "v0."+from.staging, "v0."+from.staging
		}
		if from.kubernetes != "" {
			versions["k8s.io/kubernetes"] = "v1." + from.kubernetes
		}
		for m, version := range versions {
			dir, err := download(m + "@" + version)
			if err != nil {
				return nil, err
			}
			r.dirs[m] = dir
		}
		if _, err := os.Stat(filepath.Join(r.dirs["k8s.io/apiextensions-apiserver"], "pkg/apis/apiextensions/v1/types.go")); err != nil && i > 0 {
			// Since 1.38 they are in a module of their own, which the proxy does not have; the
			// swagger documents say that nothing else has changed.
			r.dirs[definitions] = filepath.Join(releases[0].dirs["k8s.io/apiextensions-apiserver"], "pkg/apis/apiextensions/v1")
		}
		releases = append(releases, r)
	}
	return releases, nil
}

// download returns the directory of a module, fetched if it is not cached.
func download(module string) (string, error) {
	var stderr bytes.Buffer
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var answer struct{ Dir, Zip string }
	_ = json.Unmarshal(out, &answer) // without an answer there is no Dir
	switch {
	case answer.Dir == "" && answer.Zip != "": // it is there, for a newer Go than this one
		return unpacked(module, answer.Zip)
	case answer.Dir == "":
		return "", fmt.Errorf("downloading %s: %w: %s%s", module, err, out, &stderr)
	}
	return answer.Dir, nil
}

// unpacked is the folder below the user's cache with what the zip of a module has.
func unpacked(module, name string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	root := filepath.Join(cache, "threeway-sources")
	dir := filepath.Join(root, module)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	r, err := zip.OpenReader(name)
	if err != nil {
		return "", err
	}
	defer r.Close()
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp(root, "unpack")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	if err := os.CopyFS(temp, r); err != nil {
		return "", err
	}
	return dir, os.Rename(filepath.Join(temp, module), dir)
}

// dir returns where the package is, and whether the release has its module.
func (r *release) dir(importPath string) (string, bool) {
	if dir, ok := r.dirs[importPath]; ok {
		return dir, true
	}
	for module, dir := range r.dirs {
		if rest, ok := strings.CutPrefix(importPath, module+"/"); ok {
			return dir + "/" + rest, true
		}
	}
	return "", false
}

// has reports whether the release has the module of a package, named in short.
func (r *release) has(pkg string) bool {
	_, ok := r.dir(importPath(pkg))
	return ok
}

// prefixes maps the import paths that hold API types to their short names.
var prefixes = []struct{ path, short string }{
	{"k8s.io/api/", ""},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "meta/v1"},
	{"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", "apiextensions/v1"},
	{"k8s.io/kube-aggregator/pkg/apis/apiregistration/v1", "apiregistration/v1"},
	{"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions", "internal/apiextensions"},
	{"k8s.io/kubernetes/pkg/apis/", "internal/"},
	{"k8s.io/apimachinery/pkg/api/resource", "resource"},
	{"k8s.io/apimachinery/pkg/util/intstr", "intstr"},
	{"k8s.io/apimachinery/pkg/runtime", "runtime"},
	{"k8s.io/apimachinery/pkg/types", "types"},
}

// short is the name of a package in the tables: "core/v1", "internal/core".
func short(importPath string) string {
	for _, p := range prefixes {
		if importPath == p.path {
			return p.short
		}
		if rest, ok := strings.CutPrefix(importPath, p.path); ok && strings.HasSuffix(p.path, "/") {
			return p.short + rest
		}
	}
	return importPath
}

// importPath is the inverse of short.
func importPath(short string) string {
	for _, p := range prefixes[1:] {
		if short == p.short {
			return p.path
		}
		if rest, ok := strings.CutPrefix(short, p.short); ok && strings.HasSuffix(p.short, "/") {
			return p.path + rest
		}
	}
	return prefixes[0].path + short
}
