package owners

import (
	smd "sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// block is a field that an entry owns without anything in it.
type block struct {
	in      *smd.Set
	element smd.PathElement
}

// markBlocks tells fields that are owned as a whole from those that were empty, or whose
// entries have been lost to others. Both are written f:labels: {}. Where any entry owns
// something below such a field, the field is not atomic, and who has it alone owns
// nothing in it; the same is true of what every object has in its metadata.
func markBlocks(list []*smd.Set) {
	all := union(list)
	for _, set := range list {
		found := blocksIn(set, all, nil)
		name := "metadata"
		if metadata, ok := set.Children.Get(smd.PathElement{FieldName: &name}); ok {
			for _, field := range []string{"labels", "annotations", "finalizers", "ownerReferences"} {
				if at := (smd.PathElement{FieldName: &field}); metadata.Members.Has(at) {
					found = append(found, block{metadata, at})
				}
			}
		}
		for _, b := range found {
			b.in.Children.Descend(b.element)
		}
	}
}

// union is what any of the entries owns. Halves are joined, so that each entry is copied
// few times, however many there are.
func union(list []*smd.Set) *smd.Set {
	switch n := len(list); n {
	case 0:
		return smd.NewSet()
	case 1:
		return list[0]
	default:
		return union(list[:n/2]).Union(union(list[n/2:]))
	}
}

// blocksIn finds the fields of a set that have nothing below, but do in another one of
// which all is the union.
func blocksIn(set, all *smd.Set, found []block) []block {
	for element := range set.Members.All() {
		inside, owned := all.Children.Get(element)
		if _, has := set.Children.Get(element); !has && owned && !inside.Empty() {
			found = append(found, block{set, element})
		}
	}
	for _, element := range children(set) {
		inside, _ := set.Children.Get(element)
		if there, ok := all.Children.Get(element); ok {
			found = blocksIn(inside, there, found)
		}
	}
	return found
}
