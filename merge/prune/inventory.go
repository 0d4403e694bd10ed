package prune

import (
	"slices"

	"threeway/merge/manifest"
	"threeway/merge/schema"
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
	uncovered := map[string]bool{}
	for _, id := range slices.Compact(gone) {
		k := Kind{schema.Kind{Group: id.Group, Kind: id.Kind}, id.Namespace != ""}
		entry := live.FindEntry(id)
		if entry == nil {
			if kind := k.GroupKind(); !live.Covers(k.Group, k.Kind.Kind) && !uncovered[kind] {
				uncovered[kind] = true
				r.Uncovered = append(r.Uncovered, k)
			}
			continue
		}
		k.Version = entry.Kind.Version
		r.Kinds = append(r.Kinds, k)
		c := Candidate{Live: entry, Fate: Pruned, Why: inv.Why}
		if why := inv.Kept(entry.Object().Tree); why != "" {
			c.Fate, c.Why = Stays, why
		}
		r.Candidates = append(r.Candidates, c)
	}
	r.weigh(live)
	return r
}
