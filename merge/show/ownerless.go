package show

import (
	"fmt"
	"slices"

	"threeway/merge/explain"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
)

// Ownerless is the sentence about live objects that were exported without their
// owners, and of which fields are kept whose owners would be worth naming; "" if
// there are none. It is for client-side applies: of a server-side one the plan has a note.
func Ownerless(outcomes []*rehearsal.Outcome) string {
	var bare []manifest.Identity
	for _, o := range outcomes {
		if o.Live != nil && !owners.Recorded(o.Live.Tree) && keeps(o) {
			bare = append(bare, o.Identity())
		}
	}
	if bare == nil {
		return ""
	}
	return fmt.Sprintf("%s no managedFields, so the owners of kept fields are unknown; export them with: %s", phrase.Count(len(bare), "live object has", "live objects have"), manifest.ExportManagers(bare...))
}

// keeps reports whether fields are kept that are not the cluster's own.
func keeps(o *rehearsal.Outcome) bool {
	return slices.ContainsFunc(explain.FieldChanges(o), func(c explain.Change) bool { return c.Reason == explain.Kept && !c.Bookkeeping })
}
