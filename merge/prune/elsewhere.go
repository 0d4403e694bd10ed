package prune

import (
	"threeway/merge/manifest"
	"threeway/merge/schema"
)

// Locate looks for the candidates among the manifests of the whole set: those
// that have one elsewhere have not left the set, the apply was run on a part of
// it. scope and namespace are as for the config.
func (r *Result) Locate(whole *manifest.Set, scope func(schema.Kind) (namespaced, known bool), namespace string) {
	whole.ResolveNamespaces(manifest.Resolve{Scope: scope, Namespace: namespace})
	at := map[manifest.Identity]*manifest.Object{}
	for _, o := range whole.Objects {
		at[o.ID()] = o
	}
	for i := range r.Candidates {
		r.Candidates[i].Manifest = at[r.Candidates[i].Live.ID()]
	}
}

// Trace asks for the file that the manifest of each pruned object was last in,
// unless it still has one.
func (r *Result) Trace(lastFile func(*manifest.Entry) string) {
	for i := range r.Candidates {
		if c := &r.Candidates[i]; c.Fate == Pruned && c.Manifest == nil {
			c.LastFile = lastFile(c.Live)
		}
	}
}
