package explain

import (
	"slices"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/rehearsal"
)

// conflicts lists the fields for which a server-side apply is refused.
func conflicts(o *rehearsal.Outcome) []Change {
	var changes []Change
	for _, conflict := range o.Rejection.With(fault.OtherManager) {
		c := Change{Path: conflict.Path, At: conflict.Path, Reason: Conflict, Owners: []string{conflict.Manager},
			Explanation: conflicting}
		c.Old, c.InOld = o.Find(conflict.Path, o.Before)
		c.New, c.InNew = o.Find(conflict.Path, o.Manifest.Tree)
		changes = append(changes, c)
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return strings.Compare(a.Path.String(), b.Path.String()) })
	return joined(changes)
}

// joined merges the owners of changes that are next to each other at one path.
func joined(changes []Change) []Change {
	var out []Change
	for _, c := range changes {
		if last := len(out) - 1; last >= 0 && out[last].Path.Equal(c.Path) {
			out[last].Owners = append(out[last].Owners, c.Owners...)
			continue
		}
		out = append(out, c)
	}
	return out
}
