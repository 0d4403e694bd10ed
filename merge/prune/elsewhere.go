package prune

import (
	"threeway/merge/manifest"
	"threeway/merge/schema"
)

// Locate looks for the manifests of the candidates among all manifests. If it
// finds one, the object was not removed from the manifests: the apply was run
// on only some of them. scope and namespace are the same as for the applied
// manifests.
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

// Trace sets LastFile of each pruned object without a manifest, using lastFile.
func (r *Result) Trace(lastFile func(*manifest.Entry) string) {
	for i := range r.Candidates {
		if c := &r.Candidates[i]; c.Fate == Pruned && c.Manifest == nil {
			c.LastFile = lastFile(c.Live)
		}
	}
}
