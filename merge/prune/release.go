package prune

import (
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// resourcePolicy is the annotation of what Helm is to keep (helm pkg/kube/client.go).
const resourcePolicy = "helm.sh/resource-policy"

// ByRelease previews what Helm deletes: the live objects that the last release had and
// the manifests do not, in the order of the release, but for those whose live object
// says that it is kept (pkg/kube/client.go update). which names the release.
func ByRelease(live *manifest.Snapshot, original []*manifest.Object, applied map[manifest.Identity]bool, which string) *Result {
	r := &Result{}
	seen := map[manifest.Identity]bool{}
	kept := func(live tree.Object) string {
		if tree.String(live, "metadata", "annotations", resourcePolicy) == "keep" {
			return "the live object has the annotation " + resourcePolicy + ": keep"
		}
		return ""
	}
	for _, o := range original {
		id := o.ID()
		if applied[id] || seen[id] {
			continue
		}
		seen[id] = true
		r.leaves(live, live.FindEntry(id), Kind{o.Kind, o.Namespace != ""}, "in "+which+", and in no manifest", kept)
	}
	r.weigh(live)
	return r
}

// Named is the deletion of live objects that a command names.
func Named(live *manifest.Snapshot, objects []*manifest.Entry, why string) *Result {
	r := &Result{}
	for _, e := range objects {
		r.Candidates = append(r.Candidates, Candidate{Live: e, Fate: Pruned, Why: why})
	}
	r.weigh(live)
	return r
}
