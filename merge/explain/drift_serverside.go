package explain

import (
	"slices"

	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// driftByOwners is Drift of an object that is applied server-side. A field of
// the config that others own, and that they have written since the last apply,
// has drifted; what the config says of it by now is all that is known of what
// was applied.
func driftByOwners(o *rehearsal.Outcome) (fields []Drift, pending int) {
	applied := ""
	entries := owners.Read(o.Before)
	for _, e := range entries {
		if e.Manager == o.Applier && e.Applies() {
			applied = max(applied, e.Time)
		}
	}
	last, _, _ := rehearsal.ReadLastApplied(o.Before) // what cannot be read tells nothing
	for _, c := range FieldChanges(o) {
		_, inConfig := o.Find(c.Path, o.Target())
		inConfig = inConfig || c.At != nil
		d := Drift{Change: c, Effect: Undoes}
		all, _ := writers(entries, c.Path, owners.ClientSideApply)
		own := slices.ContainsFunc(all, func(w owners.Owner) bool { return w.Applies() && w.Manager == o.Applier })
		for _, w := range all {
			if !w.Applies() || w.Manager != o.Applier {
				d.By, d.Since = append(d.By, w), max(d.Since, w.Time)
			}
		}
		kept := c.Reason == Kept || c.Reason == OwnedBy
		if kept {
			d.Effect = Keeps
		}
		others := slices.ContainsFunc(d.By, func(w owners.Owner) bool { return w.Manager != owners.ClientSideApply })
		switch {
		case others && d.ReplacesMap():
			fields = append(fields, d) // what they own below it is no field of the new value
		case own:
			pending++ // as we applied it, and the config has changed
		case kept && (len(d.By) == 0 || c.Bookkeeping):
		case kept:
			fields = append(fields, d)
		case !inConfig && !o.By.Claim().IsKubectl() && slices.ContainsFunc(d.By, func(w owners.Owner) bool { return w.Manager != o.Applier }):
			fields = append(fields, d) // another manager added it, and the applier takes it over
		case c.Reason == Defaulted || c.Reason == Normalized || c.Reason == Mutated || c.Reason == Dropped:
		case asApplied(o, last, c, d.By): // two items may have one key, so that no manager owns one of them
			pending++
		case !inConfig || writtenBefore(d.By, applied): // no other manager has it, or had it when we applied
			pending++
		default:
			if slices.ContainsFunc(o.Contended, c.Path.Meets) {
				d.Effect = Conflicts
			}
			fields = append(fields, d)
		}
	}
	return fields, pending
}

// asApplied reports whether a live value is the one of last-applied, and nothing but an apply has
// written it.
func asApplied(o *rehearsal.Outcome, last tree.Object, c Change, by []owners.Owner) bool {
	value, was := o.Find(c.Path, last)
	return was && c.InOld && tree.Equal(value, c.Old) && !slices.ContainsFunc(by, func(w owners.Owner) bool { return w.Manager != owners.ClientSideApply })
}

// writtenBefore reports whether all owners have written before a time. kubectl
// scale leaves none.
func writtenBefore(by []owners.Owner, time string) bool {
	return !slices.ContainsFunc(by, func(w owners.Owner) bool { return w.Time == "" || w.Time >= time })
}
