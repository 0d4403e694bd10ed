package impact

import (
	"threeway/merge"
	"threeway/merge/by/kubectl"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Remainder is what stays different of an object when its previous manifest is
// applied again on what this apply leaves.
type Remainder struct {
	Outcome *rehearsal.Outcome
	// Back is the outcome of applying the previous manifest. If it is rejected,
	// nothing of the object returns.
	Back *rehearsal.Outcome
	// Today is the live object in the version of the previous manifest.
	Today tree.Object
	// Fields are those that do not return, by path.
	Fields []Field
	// Taken are fields that other managers have taken over since the previous manifest
	// was applied, where it is rejected as far as it is known: what it says of them, and
	// so whether it is really rejected, is unknown.
	Taken []fieldpath.Path
}

// Rejected reports whether the previous manifest is rejected.
func (r *Remainder) Rejected() bool { return r.Back.Action == rehearsal.Rejected && r.Taken == nil }

// Field is a field that applying the previous manifest does not bring back to what
// it is today.
type Field struct {
	Path fieldpath.Path
	// InToday and InBack tell whether the live object has it, and the object after
	// both applies.
	InToday, InBack bool
}

// remainders rehearses the way back of the objects that the apply changes.
func remainders(outcomes []*rehearsal.Outcome, opts merge.Options) []*Remainder {
	var changed []*rehearsal.Outcome
	for _, o := range outcomes {
		if o.Action == rehearsal.Configured && o.Result != nil && differs(o.Before, o.Result) {
			changed = append(changed, o)
		}
	}
	if changed == nil {
		return nil
	}
	found := make([]*Remainder, len(changed))
	opts.Cores.Do(len(changed), func(i int) {
		found[i] = rehearsal.Remember(changed[i], func() *Remainder { return remainder(changed[i]) })
	})
	var list []*Remainder
	for _, r := range found {
		if r != nil {
			list = append(list, r)
		}
	}
	return list
}

// remainder is nil if everything returns, or if the previous manifest is not known.
func remainder(o *rehearsal.Outcome) *Remainder {
	run := o.Run
	previous, rebuilt := run.Previous(o)
	if previous == nil || released(o.Result) {
		return nil
	}
	r := &Remainder{Outcome: o, Back: run.Next(o, previous), Today: o.Before}
	if r.Back.Action == rehearsal.Rejected {
		if rebuilt {
			r.Taken = taken(o)
		}
		return r
	}
	if previous.Kind != o.Kind {
		r.Today = run.InVersion(o.Live, previous.Kind)
	}
	if r.Fields = r.differing(previous); r.Fields == nil {
		return nil
	}
	// An export of an older server, or one made by hand, may lack defaults that the
	// server adds whenever it reads the object.
	if completed := run.Completed(previous.Kind, r.Today); completed != nil {
		r.Today = completed
		r.Fields = r.differing(previous)
	}
	if r.Fields == nil {
		return nil
	}
	return r
}

// released reports whether nothing holds an object that is being deleted any more: then
// it goes with the apply, and the previous manifest makes another.
func released(obj tree.Object) bool {
	return tree.Has(obj, "metadata", "deletionTimestamp") && len(tree.List(obj, "metadata", "finalizers")) == 0
}

// taken are the fields that an apply changes and that only other managers own today.
func taken(o *rehearsal.Outcome) (paths []fieldpath.Path) {
	entries := owners.Read(o.Before)
	for _, c := range explain.Changes(o) {
		if c.InNew && (!c.InOld || tree.Equal(c.Old, c.New)) {
			continue
		}
		own, others := false, false
		for _, e := range entries {
			if e.Owns(c.Path) {
				mine := e.Manager == o.Applier && e.Applies()
				own, others = own || mine, others || !mine
			}
		}
		if others && !own {
			paths = append(paths, c.Path)
		}
	}
	return paths
}

// differing are the fields in which the object differs from today's after both
// applies.
func (r *Remainder) differing(previous *manifest.Object) []Field {
	var fields []Field
	for _, c := range explain.Changes(&rehearsal.Outcome{By: kubectl.Kubectl{}, Kind: previous.Kind, Manifest: previous, Action: rehearsal.Configured, States: rehearsal.States{Before: r.Today, Result: r.Back.Result}}) {
		if !clusters(c.Path) && !r.aggregated(c.Path) && !r.Outcome.Marks(c.Path) && !(c.InOld && c.InNew && tree.Equal(c.Old, c.New)) {
			fields = append(fields, Field{c.Path, c.InOld, c.InNew})
		}
	}
	return fields
}

// clusters reports whether a field is the cluster's own business: what only the
// server writes, and what controllers note for themselves.
func clusters(p fieldpath.Path) bool {
	return rehearsal.ServerOwned(p) || len(p) == 3 && p[0].Field == "metadata" && p[1].Field == "annotations" && rehearsal.ControllersNote(p[2].Field)
}

// aggregated reports whether a field is the rules of a ClusterRole that a controller
// collects from others, as soon as something else is there
// (pkg/controller/clusterroleaggregation).
func (r *Remainder) aggregated(p fieldpath.Path) bool {
	return p.HasPrefix(fieldpath.New("rules")) && tree.Has(r.Today, "aggregationRule") && tree.Has(r.Back.Result, "aggregationRule")
}

// differs reports whether an apply changes more of an object than what every apply
// writes.
func differs(before, after tree.Object) bool {
	for key, v := range before {
		if w, ok := after[key]; key != "status" && key != "metadata" && (!ok || !tree.Equal(v, w)) {
			return true
		}
	}
	for key := range after {
		if _, ok := before[key]; key != "status" && !ok {
			return true
		}
	}
	was, is := tree.Map(before, "metadata"), tree.Map(after, "metadata")
	for _, key := range []string{"labels", "finalizers", "ownerReferences"} {
		if !tree.Equal(was[key], is[key]) {
			return true
		}
	}
	return !tree.Equal(notes(was), notes(is))
}

// notes are the annotations without the one that every apply writes.
func notes(metadata tree.Object) tree.Object {
	annotations := tree.Map(metadata, "annotations")
	list := make(tree.Object, len(annotations))
	for key, v := range annotations {
		if key != rehearsal.LastAppliedKey {
			list[key] = v
		}
	}
	return list
}
