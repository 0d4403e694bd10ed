package prune

import (
	"slices"

	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// Inventory is what an applier remembers that it has applied, and what it does with the
// live objects of it that are in no manifest.
type Inventory struct {
	Objects []manifest.Identity
	// Compare is the order in which they were applied; they are deleted backwards.
	Compare func(a, b manifest.Identity) int
	// Kept is why a live object stays; "" if it is deleted.
	Kept func(live tree.Object) string
	// Why is the reason of a deletion.
	Why string
}

// ByInventory previews what an applier deletes that keeps an inventory.
func ByInventory(live *manifest.Snapshot, inv Inventory, applied map[manifest.Identity]bool) *Result {
	r := &Result{}
	gone := slices.DeleteFunc(slices.Clone(inv.Objects), func(id manifest.Identity) bool { return applied[id] })
	slices.SortStableFunc(gone, func(a, b manifest.Identity) int { return inv.Compare(b, a) })
	for _, id := range slices.Compact(gone) {
		k := Kind{schema.Kind{Group: id.Group, Kind: id.Kind}, id.Namespace != ""}
		entry := live.FindEntry(id)
		if entry != nil {
			k.Version = entry.Kind.Version
		}
		r.leaves(live, entry, k, inv.Why, inv.Kept)
	}
	r.weigh(live)
	return r
}

// leaves adds an object that an applier has applied and no longer finds in the
// manifests: kept is why it stays, why the reason if it goes. Of one that is not live
// it counts whether the snapshot would tell.
func (r *Result) leaves(live *manifest.Snapshot, entry *manifest.Entry, k Kind, why string, kept func(tree.Object) string) {
	if entry == nil {
		known := func(u Kind) bool { return u.GroupKind() == k.GroupKind() }
		if !live.Covers(k.Group, k.Kind.Kind) && !slices.ContainsFunc(r.Uncovered, known) {
			r.Uncovered = append(r.Uncovered, k)
		}
		return
	}
	c := Candidate{Live: entry, Fate: Pruned, Why: why}
	if stays := kept(entry.Object().Tree); stays != "" {
		c.Fate, c.Why = Stays, stays
	}
	r.Kinds, r.Candidates = append(r.Kinds, k), append(r.Candidates, c)
}
