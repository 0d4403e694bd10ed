package show

import (
	"slices"

	"threeway/merge/explain"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
)

// renameLine says of a new object what becomes of the one that it is in place of, and in what they differ.
func (i *Digest) renameLine(r impact.Rename) string {
	text := "renamed from " + r.Old.ID().String() + ", which stays in the cluster"
	if r.Gone {
		text = "renamed from " + r.Old.ID().String() + ", which is deleted"
	}
	named := func(c explain.Change) bool { return c.Path[0].Field == "metadata" && len(c.Path) == 2 }
	if rows := i.since(r.New, r.Old.Tree, named); rows != nil {
		text += "; " + phrase.Abbreviated(rows, mostBeside)
	}
	return text
}

// newName says what the name of an object is that left the manifests; "" if it has no other.
func (i *Digest) newName(old *manifest.Object) string {
	for _, r := range i.renames {
		if r.Old == old {
			return "renamed to " + r.New.Identity().String()
		}
	}
	return ""
}

// Renamed reports whether an object has another name in the manifests, of which a danger tells.
func (i *Digest) Renamed(object string) bool {
	return slices.ContainsFunc(i.renames, func(r impact.Rename) bool { return r.Old.ID().String() == object })
}
