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
func markBlocks(list []Entry) {
	for i, e := range list {
		others := make([]*smd.Set, 0, len(list))
		for j, other := range list {
			if j != i {
				others = append(others, other.fields())
			}
		}
		found := blocksIn(e.fields(), others, nil)
		name := "metadata"
		if metadata, ok := e.fields().Children.Get(smd.PathElement{FieldName: &name}); ok {
			for _, field := range []string{"labels", "annotations", "finalizers", "ownerReferences"} {
				if at := (smd.PathElement{FieldName: &field}); metadata.Members.Has(at) {
					found = append(found, block{metadata, at})
				}
			}
		}
		if len(found) > 0 {
			e.Leaves() // as they are written
		}
		for _, b := range found {
			b.in.Children.Descend(b.element)
		}
	}
}

// blocksIn finds the fields of a set that have nothing below, but do in another set.
func blocksIn(set *smd.Set, others []*smd.Set, found []block) []block {
	below := func(at smd.PathElement) (list []*smd.Set) {
		for _, other := range others {
			if inside, ok := other.Children.Get(at); ok && !inside.Empty() {
				list = append(list, inside)
			}
		}
		return list
	}
	for element := range set.Members.All() {
		if _, has := set.Children.Get(element); !has && len(below(element)) > 0 {
			found = append(found, block{set, element})
		}
	}
	for _, element := range children(set) {
		inside, _ := set.Children.Get(element)
		if there := below(element); len(there) > 0 {
			found = blocksIn(inside, there, found)
		}
	}
	return found
}
