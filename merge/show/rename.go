package show

import (
	"fmt"

	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
)

// renameLine says of a new object what becomes of the one that it is in place of.
func renameLine(r impact.Rename) string {
	if r.Gone {
		return "renamed from " + r.Old.ID().String() + ", which is deleted"
	}
	return "renamed from " + r.Old.ID().String() + ", which stays in the cluster"
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

// renamed lists the renames: Deployment a → b: the old one keeps running.
func (i *Digest) renamed() string {
	if i.renames == nil {
		return ""
	}
	var names []string
	runs, stay := 0, 0
	for _, r := range i.renames {
		was, is := r.Old.Name, r.New.Manifest.Name
		if r.Old.Namespace != r.New.Manifest.Namespace {
			was, is = r.Old.Namespace+"/"+was, r.New.Manifest.Namespace+"/"+is
		}
		names = append(names, fmt.Sprintf("%s %s → %s", r.Old.Kind.Kind, was, is))
		if !r.Gone {
			stay++
		}
		if !r.Gone && impact.Runs(r.Old.Kind) {
			runs++
		}
	}
	what := map[bool][2]string{true: {"the old one keeps running", "the old ones keep running"}, false: {"the old one stays", "the old ones stay"}}[runs > 0]
	switch {
	case stay == 0:
		what = [2]string{"the old one is deleted", "the old ones are deleted"}
	case stay < len(names):
		what[1] = "some of the old ones are deleted, the rest stay"
	}
	return phrase.Abbreviated(names, 3) + ": " + what[min(len(names), 2)-1]
}
