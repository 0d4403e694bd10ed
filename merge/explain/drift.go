package explain

import (
	"sync"

	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Effect is what the next apply does to a field that drifted.
type Effect string

// The effects.
const (
	Undoes    Effect = "undoes"    // sets it back, or removes it
	Keeps     Effect = "keeps"     // no manifest sets it
	Conflicts Effect = "conflicts" // is rejected because of it, and sets it back only with --force-conflicts
	Blocked   Effect = "rejected"  // would set it back, and is rejected for another reason
	Unknown   Effect = "unknown"   // nothing tells whether the manifest sets it
)

// Drift is a field in which live has moved since the last apply, while the
// config has not.
type Drift struct {
	// Change is what the next apply does: it sets the field back, or it is Kept.
	Change
	// Effect is the same in one word.
	Effect Effect
	// By are those who own the field in the live object, the manager that applies only
	// if no other does; none if another manager removed it. Since is the
	// newest of their writes.
	By    []owners.Owner
	Since string
	// Anew says that the manifest does not say what was last applied, so that it would have
	// changed the field anyway.
	Anew bool
}

// Undone reports whether the next apply sets the field to a value that is known, if
// need be by force.
func (d Drift) Undone() bool { return d.Reason != Kept && d.Reason != OwnedBy }

// ReplacesMap reports whether the next apply sets another value than a map in place of one.
func (d Drift) ReplacesMap() bool { return tree.Map(d.Old) != nil && d.InNew && tree.Map(d.New) == nil }

// Judgement is how what drifted was found, or why it was not.
type Judgement uint8

// The judgements. Of an object without managers nothing tells what was applied.
const (
	ByValues   Judgement = iota // the values that were applied last are known, or the object is absent
	ByManagers                  // managedFields tell who wrote what after whom, and no values
	Managerless
	BadRecord   // the same, and last-applied is not a JSON object
	Applierless // no program that applies manifests is among the managers
)

// Judged reports whether anything could be said.
func (j Judgement) Judged() bool { return j == ByValues || j == ByManagers }

// DriftOf lists by path where live has moved since the last apply, and counts the
// fields of the config that have: those wait to be applied. What the API server
// and its controllers note about an object in its metadata is no drift. It does not
// depend on whether the apply is accepted.
func DriftOf(o *rehearsal.Outcome) (fields []Drift, pending int, judged Judgement) {
	switch {
	case o.Live == nil:
		return nil, 0, ByValues
	case o.AppliedServerSide() && o.Action != rehearsal.Rejected:
		fields, pending = driftByOwners(o)
		return fields, pending, ByValues
	case o.Original != nil && o.Intended() != nil:
		fields, pending = driftByValues(o.Intended(), o.Action == rehearsal.Rejected)
		return fields, pending, ByValues
	}
	return driftByManagers(o)
}

// driftByValues compares with the values that were applied last.
func driftByValues(o *rehearsal.Outcome, rejected bool) (fields []Drift, pending int) {
	entries := sync.OnceValue(func() []owners.Entry { return owners.Read(o.Before) })
	own := o.By.Claim().Manager()
	for _, c := range FieldChanges(o) {
		d := Drift{Change: c, Effect: Undoes}
		switch {
		case c.Reason == Kept:
			d.Effect = Keeps
		case rejected:
			d.Effect = Blocked
		}
		switch {
		case c.Bookkeeping, o.Marks(c.Path) && !inLast(o, c.Path): // a mark that Helm does not store, or the first of another applier
		case c.Reason == Kept, unmoved(o, c), moved(o, c, entries):
			d.By, d.Since = writers(entries(), c.Path, own)
			d.Anew = c.Reason != Kept && !unmoved(o, c)
			fields = append(fields, d)
		case c.Reason != Defaulted && c.Reason != Normalized && c.Reason != Mutated && c.Reason != Dropped, inLast(o, c.Path):
			pending++
		}
	}
	return fields, pending
}

// unmoved reports whether the manifest says of a changed field what was last applied, and
// the live object does not: a value that only the server drops has not drifted.
func unmoved(o *rehearsal.Outcome, c Change) bool {
	config, ok := o.Find(c.Path, o.Target())
	last, ok2 := o.Find(c.Path, o.Original)
	return ok && ok2 && config != nil && tree.Equal(config, last) && !(c.InOld && tree.Equal(c.Old, last))
}

// moved reports whether a value that the apply changes is neither the one that was last applied
// nor what the server made of that one, so that it was changed since: whether or not the
// manifest has changed too.
func moved(o *rehearsal.Outcome, c Change, entries func() []owners.Entry) bool {
	last, applied := o.Find(c.Path, o.Original)
	switch {
	case c.Reason == Reordered, c.Reason == Dropped, c.Reason == Mutated, o.Run == nil,
		c.InOld && applied && tree.Equal(c.Old, last), !c.InOld && !applied:
		return false
	}
	if m := (&managers{live: o.Before, object: schema.Lookup(o.Kind)}); !applied && m.bookkeeping(c.Path) {
		return false
	}
	if all := entries(); len(all) > 0 && c.InOld {
		by, own, below := 0, false, false
		for _, e := range all {
			if e.Owns(c.Path) {
				by++
				applies := e.Subresource == "" && (e.Manager == owners.ClientSideApply || o.By.Claim().WritesAs(e.Manager))
				own = own || applies
				below = below || !applies && tree.Compound(c.Old) // an item of a list, or a part of a map, that another manager added
			}
		}
		if own && !below || by == 0 && !applied {
			return false
		}
	}
	if kindOf(o.Original) != o.Kind {
		return applied
	}
	type stored tree.Object
	was, is := o.Find(c.Path, tree.Object(rehearsal.Remember(o, func() stored {
		obj := tree.CopyObject(o.Original)
		tree.DropNulls(obj)
		return stored(o.Run.Server.Fresh(o.Kind, obj))
	})))
	return is != c.InOld || !tree.Equal(was, c.Old)
}

func kindOf(obj tree.Object) schema.Kind {
	return schema.ParseKind(tree.String(obj, "apiVersion"), tree.String(obj, "kind"))
}

func inLast(o *rehearsal.Outcome, p fieldpath.Path) bool {
	_, ok := o.Find(p, o.Original)
	return ok
}

// writers are the owners of a field, the manager that applies only if alone, and their
// newest write. An owner of a list or map as a whole owns what lies in it.
func writers(entries []owners.Entry, path fieldpath.Path, applier string) (by []owners.Owner, since string) {
	var own []owners.Owner
	for _, e := range entries {
		switch {
		case !e.Owns(path):
		case e.Manager == applier:
			own = append(own, e.Owner)
		default:
			by = append(by, e.Owner)
		}
	}
	if by == nil {
		by = own
	}
	for _, w := range by {
		since = max(since, w.Time)
	}
	return by, since
}
