package request

import (
	"path/filepath"
	"slices"

	"threeway/command/settings"
	"threeway/merge/text/visible"
)

// Overlays reports whether the run has several sets of manifests, each rehearsed for
// itself.
func (r *Request) Overlays() bool {
	return len(r.Kustomize) > 1 || len(r.Kustomize) > 0 && len(r.Files) > 0
}

// Several reports whether the run has parts.
func (r *Request) Several() bool { return r.Overlays() || len(r.Clusters) > 0 }

// Parts are the rehearsals of a run with their names: overlays, clusters, or overlays on
// clusters. An overlay is applied to the clusters of its name, if there are any, and else
// to all.
func (r *Request) Parts() (list []Request) {
	alone := func(name string, kustomize, files []string) {
		one := *r
		one.Kustomize, one.Files, one.Part = kustomize, files, name
		clusters := slices.DeleteFunc(slices.Clone(r.Clusters), func(c settings.Cluster) bool { return c.Name != filepath.Base(name) })
		switch {
		case len(r.Clusters) == 0:
			list = append(list, one)
			return
		case len(clusters) == 0 || !r.Overlays():
			clusters = r.Clusters
		}
		for _, c := range clusters {
			on := one
			on.Clusters, on.Live = nil, c.Live
			if !r.Overlays() {
				on.Part = c.Name
			} else if c.Name != filepath.Base(name) {
				on.Part = name + " on " + c.Name
			}
			list = append(list, on)
		}
	}
	if !r.Overlays() {
		alone("", r.Kustomize, r.Files)
		return list
	}
	if len(r.Files) > 0 {
		alone("manifests", nil, r.Files)
	}
	for _, dir := range r.Kustomize {
		alone(visible.Joined(filepath.ToSlash(filepath.Clean(dir))), []string{dir}, nil)
	}
	return list
}
