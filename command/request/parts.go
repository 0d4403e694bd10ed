package request

import (
	"path/filepath"
	"slices"

	"threeway/command/settings"
	"threeway/command/system"
	"threeway/merge/manifest"
	"threeway/merge/text/visible"
)

// Beside are the sets of manifests of a run: a change may move an object from one to another.
type Beside struct {
	Sets []Inputs
	// Members are the objects of those sets that another one has asked about, by the name of the set.
	Members map[string]Members
}

// IsFirst reports whether a set is the first of the run; nil is of one set.
func (b *Beside) IsFirst(set string) bool { return b == nil || b.Sets[0].Part == set }

// Tells reports whether a set is the one that says what concerns a file that is in none of them: the
// overlay in whose directory it is, or else the first of the run.
func (b *Beside) Tells(set, file string) bool {
	if b == nil {
		return true
	}
	teller, longest := b.Sets[0].Part, 0
	for _, s := range b.Sets {
		for _, dir := range s.Kustomize {
			if len(dir) > longest && system.Within(file, dir) {
				teller, longest = s.Part, len(dir)
			}
		}
	}
	return teller == set
}

// Members are the objects of one set, now and before the change.
type Members struct{ Now, Then map[manifest.Identity]bool }

// Overlays reports whether the run has several sets of manifests, each rehearsed for
// itself.
func (r *Request) Overlays() bool {
	return len(r.Kustomize) > 1 || len(r.Kustomize) > 0 && len(r.Files) > 0 || len(r.Environments) > 1 || len(r.Environments) > 0 && len(r.Kustomize) > 0
}

// Noun is what the parts of the run are called: cluster, overlay, environment, or set if they are of
// both kinds.
func (r *Request) Noun() string {
	switch {
	case !r.Overlays():
		return "cluster"
	case len(r.Files)+len(r.Environments) == 0:
		return "overlay"
	case len(r.Kustomize) == 0:
		return "environment"
	}
	return "set"
}

// IsOverlay reports whether a part is an overlay, which may have no objects.
func (r *Inputs) IsOverlay() bool { return r.Part != "" && len(r.Kustomize) > 0 }

// Several reports whether the run has parts.
func (r *Request) Several() bool { return r.Overlays() || len(r.Clusters) > 0 }

// Parts are the rehearsals of a run with their names: environments, overlays, clusters, or
// the former on the latter. An environment or an overlay is applied to the clusters of its name, if there are any, and else
// to all.
func (r *Request) Parts() (list []Request) {
	if r.Rendered == nil {
		r.Rendered = map[string][]byte{}
	}
	alone := func(name string, kustomize, files []string) {
		one := *r
		one.Kustomize, one.Files, one.Part, one.Environments = kustomize, files, name, nil
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
	for _, e := range r.Environments {
		alone(e.Name, nil, e.Paths)
	}
	if len(r.Files) > 0 && len(r.Environments) == 0 {
		alone("manifests", nil, r.Files)
	}
	for i, dir := range r.Kustomize {
		if slices.Contains(r.Unchanged, dir) && (len(list) > 0 || i < len(r.Kustomize)-1) {
			continue
		}
		whole := len(list)
		alone(visible.Joined(filepath.ToSlash(filepath.Clean(dir))), []string{dir}, nil)
		for j := range list[whole:] {
			list[whole+j].Chosen = nil // paths have chosen it
		}
	}
	beside := &Beside{Members: map[string]Members{}}
	for i := range list {
		list[i].Beside = beside
		beside.Sets = append(beside.Sets, list[i].Inputs)
	}
	return list
}
