// Package upgrade rehearses one apply on two minors of Kubernetes, that of the
// cluster and another, and says object by object what is different. It knows no
// rules and no formats.
package upgrade

import (
	"maps"
	"slices"

	"threeway/merge"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Comparison is one set on two minors.
type Comparison struct {
	From, To int

	later           *merge.Plan    // on To, with the snapshot
	bare, bareLater *rehearsal.Run // on From and To, with nothing live
	set             map[place]pair
}

// pair is the outcome of one manifest on both minors.
type pair struct{ from, to *rehearsal.Outcome }

// place names one manifest of the set: its object may be in it twice.
type place struct {
	id             manifest.Identity
	file           string
	document, line int
}

func placeOf(o *manifest.Object) place {
	return place{o.ID(), o.Origin.File, o.Origin.Document, o.Origin.Line}
}

// Compare rehearses the apply of a plan, which was made with the options, on
// 1.to as well.
func Compare(plan *merge.Plan, opts merge.Options, to int) (*Comparison, error) {
	c := &Comparison{From: plan.Minor, To: to, set: map[place]pair{}}
	later := opts
	later.Minor, later.Prune = to, nil
	target, err := merge.New(later)
	if err != nil {
		return nil, err
	}
	c.later = target
	for _, o := range plan.Outcomes {
		c.set[placeOf(o.Manifest)] = pair{from: o}
	}
	for _, o := range target.Outcomes {
		if p, ok := c.set[placeOf(o.Manifest)]; ok {
			c.set[placeOf(o.Manifest)] = pair{p.from, o}
		}
	}
	none := opts
	none.Minor, none.Prune, none.Live, none.EmptyCluster = plan.Minor, nil, &manifest.Snapshot{}, false
	c.bare = merge.NewRehearsal(none)
	none.Minor = to
	c.bareLater = merge.NewRehearsal(none)
	return c, nil
}

// Difference is what is different about one object.
type Difference struct {
	From, To *rehearsal.Outcome
	// Gone says that To no longer serves the version of the manifest.
	Gone bool
	// Rejected is why To rejects the object, which From may do too, Recreated why it rejects
	// the manifest of an object that it accepts as long as it is stored; nil if it does
	// not. Allowed is why From rejects what To accepts.
	Rejected, Recreated, Allowed *fault.Rejection
	// Pods is why To would reject the Pods of a workload that From lets have them.
	Pods string
	// Changes are the fields that To would store differently.
	Changes []Change
	// Warnings are those that only To gives.
	Warnings []fault.Warning
}

// Of is the difference that there is about a manifest of the plan, nil if there is none. Its
// Changes have the values of the outcomes as they may be shown.
func (c *Comparison) Of(config *manifest.Object, shown func(*rehearsal.Outcome) *rehearsal.Outcome) *Difference {
	p := c.set[placeOf(config)]
	from, to := p.from, p.to
	if from == nil || to == nil {
		return nil
	}
	d := &Difference{From: from, To: to}
	switch {
	case to.Rejection.Has(fault.UnknownKind):
		r, known := schema.Builtin(from.Kind)
		_, removed := schema.Removed(from.Kind)
		if d.Gone = removed || known && !r.In(c.To); !d.Gone {
			d.Rejected = to.Rejection
		}
	case to.Rejection != nil:
		d.Rejected = to.Rejection
	case from.Rejection != nil:
		d.Allowed = from.Rejection
	default:
		c.accepted(d)
		if len(d.Changes) > 0 {
			d.Changes = changes(shown(from), shown(to))
		}
	}
	if !d.Gone && d.Rejected == nil && d.Recreated == nil && d.Allowed == nil && d.Pods == "" && len(d.Changes)+len(d.Warnings) == 0 {
		return nil
	}
	return d
}

// accepted compares what both minors accept.
func (c *Comparison) accepted(d *Difference) {
	d.Changes = changes(d.From, d.To)
	said := map[string]bool{}
	for _, w := range d.From.Warnings {
		said[w.String()] = true
	}
	for _, w := range d.To.Warnings {
		if !said[w.String()] {
			d.Warnings = append(d.Warnings, w)
		}
	}
	if d.From.Live != nil && schema.Lookup(d.From.Kind) != nil {
		if d.To.Before != nil && c.bare.Object(d.From.Manifest).Rejection == nil {
			d.Recreated = c.bareLater.Object(d.From.Manifest).Rejection
		}
	}
	if d.From.RejectedPods != nil && d.To.RejectedPods != nil && d.From.RejectedPods().Empty() {
		d.Pods = d.To.RejectedPods().String()
	}
}

// Rewritten reports whether a manifest means the same with
// another apiVersion: From, where both are served, stores the same fields, and To
// accepts it.
func (c *Comparison) Rewritten(config *manifest.Object, apiVersion string) bool {
	o := c.set[placeOf(config)].from
	if o == nil {
		return false
	}
	rewritten := *o.Manifest
	rewritten.Tree = maps.Clone(o.Manifest.Tree)
	rewritten.Tree["apiVersion"] = apiVersion
	rewritten.Kind = schema.ParseKind(apiVersion, o.Kind.Kind)
	was, now := c.bare.Object(o.Manifest), c.bare.Object(&rewritten)
	later := c.later.Apply(&rewritten)
	if was.Result == nil || now.Result == nil || later.Result == nil || len(now.Dropped)+len(later.Dropped) > 0 {
		return false
	}
	return tree.Equal(body(was.Result), body(now.Result))
}

// body is an object without its version and what the apply notes down.
func body(obj tree.Object) tree.Object {
	rest := tree.CopyObject(obj)
	delete(rest, "apiVersion")
	tree.Delete(rest, "metadata", "annotations", rehearsal.LastAppliedKey)
	tree.Delete(rest, "metadata", "managedFields")
	return rest
}

// Change is a field of the stored object that the two minors store differently.
type Change struct {
	Path fieldpath.Path
	// Was and Is are the values on From and To, nil where there is none.
	Was, Is any
	// Set says that the manifest sets the field.
	Set bool
}

// changes compares the objects that two minors would store.
func changes(from, to *rehearsal.Outcome) []Change {
	was, is := body(from.Hide(nil, from.Result)), body(to.Hide(nil, to.Result))
	for _, obj := range []tree.Object{was, is} {
		delete(obj, "status")
		tree.Delete(obj, "metadata", "generation")
	}
	var list []Change
	compare(was, is, nil, func(path fieldpath.Path, was, is any) {
		_, set := path.Find(from.Manifest.Tree)
		list = append(list, Change{path, was, is, set})
	})
	return list
}

// compare reports where two values differ, as deep as both are of one shape. An
// absent field is null.
func compare(was, is any, path fieldpath.Path, report func(path fieldpath.Path, was, is any)) {
	if tree.Equal(was, is) {
		return
	}
	a, isMap := was.(tree.Object)
	b, bothMaps := is.(tree.Object)
	x, isList := was.([]any)
	y, bothLists := is.([]any)
	switch {
	case isMap && bothMaps:
		keys := tree.Keys(a)
		for _, key := range tree.Keys(b) {
			if _, both := a[key]; !both {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		for _, key := range keys {
			compare(a[key], b[key], path.Child(key), report)
		}
	case isList && bothLists && len(x) == len(y):
		for i := range x {
			compare(x[i], y[i], path.Item(i), report)
		}
	default:
		report(path, was, is)
	}
}
