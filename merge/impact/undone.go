package impact

import (
	"slices"

	"threeway/merge"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
)

// Undone counts the changes made in the cluster since the last apply that this one takes
// back, and names who made them.
type Undone struct {
	Fields   int
	Managers []string
	// Paths are the fields of one object.
	Paths []fieldpath.Path
}

// undone are those of all objects that the apply changes.
func undone(outcomes []*rehearsal.Outcome, opts merge.Options) (all Undone) {
	by := make([]Undone, len(outcomes))
	opts.Cores.Do(len(outcomes), func(i int) { by[i] = UndoneBy(outcomes[i]) })
	for _, one := range by {
		all.Fields += one.Fields
		all.Managers = append(all.Managers, one.Managers...)
	}
	slices.Sort(all.Managers)
	all.Managers = slices.Compact(all.Managers)
	return all
}

// UndoneBy is what the apply of one object takes back.
func UndoneBy(o *rehearsal.Outcome) (n Undone) {
	if o.Action != rehearsal.Configured || o.Stopped {
		return n
	}
	return rehearsal.Remember(o, func() Undone { return undoneOf(o) })
}

func undoneOf(o *rehearsal.Outcome) (n Undone) {
	fields, _, judged := explain.DriftOf(o)
	if !judged.Judged() {
		return n
	}
	for _, d := range fields {
		if !d.Undone() || clusters(d.Path) || d.InOld && d.InNew && d.Reason == explain.Reordered {
			continue
		}
		n.Fields++
		n.Paths = append(n.Paths, d.Path)
		for _, by := range d.By {
			if by.Manager != owners.ClientSideApply {
				n.Managers = append(n.Managers, by.Manager)
			}
		}
	}
	n.Managers = phrase.Distinct(n.Managers)
	return n
}
