package show

import (
	"slices"
	"strings"

	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Effect is what an outcome does to its object, as text to be compared: two clusters
// share it if the same fields change from and to the same values there, or if the
// object is rejected with the same words. What differs anyway between clusters, as
// the generation does, is not in it. Values are masked.
func Effect(o *rehearsal.Outcome, opts Options) string {
	v := opts.view(o)
	var b strings.Builder
	b.WriteString(string(o.Action) + "\n" + v.Rejected + "\n")
	for _, c := range v.Changes() {
		if c.Reason == explain.Kept || c.Reason == explain.OwnedBy || slices.ContainsFunc(bookkept, c.Path.Equal) {
			continue
		}
		before, _ := tree.JSON(c.Old, "", "")
		after, _ := tree.JSON(c.New, "", "")
		b.WriteString(c.Path.String() + "\n" + before + "\n" + after + "\n")
	}
	return b.String()
}

// bookkept are the fields that every apply changes.
var bookkept = []fieldpath.Path{fieldpath.New("metadata", "annotations", rehearsal.LastAppliedKey), fieldpath.New("metadata", "generation")}
