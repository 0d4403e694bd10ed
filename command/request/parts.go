package request

import (
	"path/filepath"
	"slices"

	"threeway/command/settings"
)

// Part is one of several rehearsals of a run: an overlay, a cluster, or an overlay on a
// cluster.
type Part struct {
	Name    string
	Request Request
}

// Overlays reports whether the run has several sets of manifests, each rehearsed for
// itself.
func (r *Request) Overlays() bool {
	return len(r.Kustomize) > 1 || len(r.Kustomize) > 0 && len(r.Files) > 0
}

// Several reports whether the run has parts.
func (r *Request) Several() bool { return r.Overlays() || len(r.Clusters) > 0 }

// Parts are those of the run. An overlay is applied to the clusters of its name, if there
// are any, and else to all.
func (r *Request) Parts() (list []Part) {
	alone := func(name string, kustomize, files []string) {
		one := *r
		one.Kustomize, one.Files = kustomize, files
		clusters := slices.DeleteFunc(slices.Clone(r.Clusters), func(c settings.Cluster) bool { return c.Name != filepath.Base(name) })
		switch {
		case len(r.Clusters) == 0:
			list = append(list, Part{name, one})
			return
		case len(clusters) == 0 || !r.Overlays():
			clusters = r.Clusters
		}
		for _, c := range clusters {
			on := one
			on.Clusters, on.Live = nil, c.Live
			label := c.Name
			if r.Overlays() && c.Name != filepath.Base(name) {
				label = name + " on " + c.Name
			} else if r.Overlays() {
				label = name
			}
			list = append(list, Part{label, on})
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
		alone(filepath.ToSlash(filepath.Clean(dir)), []string{dir}, nil)
	}
	return list
}
