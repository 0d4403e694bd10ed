package show

import (
	"fmt"
	"slices"

	"threeway/merge/explain"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
)

// Ownerless is the sentence about live objects that were exported without their
// owners, and of which fields are kept whose owners would be worth naming; "" if
// there are none. It is for client-side applies: of a server-side one the plan has a note.
func Ownerless(outcomes []*rehearsal.Outcome) string {
	n := 0
	for _, o := range outcomes {
		if o.Live != nil && !owners.Recorded(o.Live.Tree) && keeps(o) {
			n++
		}
	}
	switch {
	case n == 0:
		return ""
	case n == 1:
		return "1 live object has no managedFields, so the owners of kept fields are unknown; export them with: " + rehearsal.ExportManagers
	}
	return fmt.Sprintf("%d live objects have no managedFields, so the owners of kept fields are unknown; export them with: %s", n, rehearsal.ExportManagers)
}

// keeps reports whether fields are kept that are not the cluster's own.
func keeps(o *rehearsal.Outcome) bool {
	return slices.ContainsFunc(explain.FieldChanges(o), func(c explain.Change) bool { return c.Reason == explain.Kept && !c.Bookkeeping })
}
