package rules

import (
	"maps"

	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// coverage tells of which kinds and namespaces the snapshot has all objects, so
// that the absence of one means something. An export of the objects of the
// manifests alone (kubectl get -f) has all of nothing, and one by label neither.
type coverage struct {
	c *cluster
	// beyond are the kinds, and the namespaces, of live objects that no manifest
	// has.
	beyondKind, beyondNamespace map[string]bool
	selected                    bool // all objects share a label
}

func newCoverage(c *cluster) coverage {
	cover := coverage{c: c, beyondKind: map[string]bool{}, beyondNamespace: map[string]bool{}}
	if c.p.Options.Live == nil {
		return cover
	}
	var shared tree.Object
	var beyond *manifest.Entry // the newest that no manifest has
	for i, e := range c.p.Options.Live.Entries {
		if i == 0 {
			shared = maps.Clone(e.Labels())
		}
		if len(shared) > 0 {
			labels := e.Labels()
			maps.DeleteFunc(shared, func(key string, value any) bool { return labels[key] != value })
		}
		if beyond != nil && beyond.Kind == e.Kind && beyond.Namespace == e.Namespace {
			continue // as most of an export, which is sorted
		}
		if _, inSet := c.set[e.ID()]; !inSet {
			cover.beyondKind[e.Kind.GroupKind()] = true
			cover.beyondNamespace[e.Namespace] = true
			beyond = e
		}
	}
	cover.selected = len(shared) > 0
	return cover
}

// has reports whether an object that neither the snapshot nor the set has is
// missing for sure.
func (v coverage) has(id manifest.Identity) bool {
	opts := v.c.p.Options
	switch {
	case opts.EmptyCluster:
		return true
	case opts.Live == nil || opts.Base != nil || v.selected:
		return false
	}
	kind := schema.Kind{Group: id.Group, Kind: id.Kind}.GroupKind()
	empty := opts.Live.Covers(id.Group, id.Kind) && len(opts.Live.EntriesOfKind(kind)) == 0
	if !empty && !v.beyondKind[kind] {
		return false
	}
	return id.Namespace == "" || v.beyondNamespace[id.Namespace] || v.newNamespace(id.Namespace)
}

// newNamespace reports whether the apply creates a namespace, so that nothing is
// live in it.
func (v coverage) newNamespace(name string) bool {
	id := manifest.Identity{Kind: "Namespace", Name: name}
	_, inSet := v.c.set[id]
	return inSet && v.c.before(id) == nil && v.beyondKind["Namespace"]
}
