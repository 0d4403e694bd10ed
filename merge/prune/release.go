package prune

import (
	"fmt"

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
	seen, uncovered := map[manifest.Identity]bool{}, map[string]bool{}
	for _, o := range original {
		id := o.ID()
		if applied[id] || seen[id] {
			continue
		}
		seen[id] = true
		k := Kind{o.Kind, o.Namespace != ""}
		entry := live.FindEntry(id)
		if entry == nil {
			if kind := k.GroupKind(); !live.Covers(k.Group, k.Kind.Kind) && !uncovered[kind] {
				uncovered[kind] = true
				r.Uncovered = append(r.Uncovered, k)
			}
			continue
		}
		r.Kinds = append(r.Kinds, k)
		c := Candidate{Live: entry, Fate: Pruned, Why: fmt.Sprintf("in %s, and in no manifest", which)}
		if policy := tree.String(entry.Object().Tree, "metadata", "annotations", resourcePolicy); policy == "keep" {
			c.Fate, c.Why = Stays, "the live object has the annotation "+resourcePolicy+": keep"
		}
		r.Candidates = append(r.Candidates, c)
	}
	r.weigh(live)
	return r
}
