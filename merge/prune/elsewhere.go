package prune

import (
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
)

// Locate looks for the manifests of the candidates among all manifests. If it
// finds one, the object was not removed from the manifests: the apply was run
// on only some of them. scope and namespace are the same as for the applied
// manifests.
func (r *Result) Locate(whole *manifest.Set, scope func(schema.Kind) (namespaced, known bool), namespace string) {
	whole.Build(manifest.Builder{Scope: scope, Namespace: namespace})
	at := map[manifest.Identity]*manifest.Object{}
	for _, o := range whole.Objects {
		at[o.ID()] = o
	}
	for i := range r.Candidates {
		r.Candidates[i].Manifest = at[r.Candidates[i].Live.ID()]
	}
}

// Trace sets LastFile of each pruned object without a manifest, using lastFile. Its
// first error is a note, and the end.
func (r *Result) Trace(lastFile func(*manifest.Entry) (string, error)) {
	for i := range r.Candidates {
		c := &r.Candidates[i]
		if c.Fate != Pruned || c.Manifest != nil {
			continue
		}
		file, err := lastFile(c.Live)
		if err != nil {
			r.Notes = append(r.Notes, err.Error())
			return
		}
		c.LastFile = file
	}
}
