package merge

import (
	"cmp"
	"slices"

	"threeway/merge/fault"
	"threeway/merge/manifest"
	"threeway/merge/schema"
	"threeway/merge/tree"
)

// Rehearsal applies single objects to a snapshot, in any order: what workflows of
// several steps are made of. A Plan is the rehearsal of a whole set.
type Rehearsal struct {
	run   *run
	parts []*Plan // of the plan
}

// NewRehearsal is a rehearsal with the options, of which Config may be empty. Values
// that are redacted in the snapshot are taken from the manifests where they fit.
func NewRehearsal(opts Options, manifests ...*manifest.Object) *Rehearsal {
	opts.Minor = cmp.Or(opts.Minor, DefaultMinor)
	r := newRun(opts, newCatalog(opts))
	if len(manifests) > 0 {
		r, _ = r.reveal(manifests)
	}
	return &Rehearsal{run: r}
}

// Rehearsal is that of the plan, to go on with.
func (p *Plan) Rehearsal() *Rehearsal { return &Rehearsal{p.run, p.Parts} }

// Apply is the outcome of applying one manifest.
func (r *Rehearsal) Apply(manifest *manifest.Object) *Outcome {
	for _, p := range r.parts {
		if slices.ContainsFunc(p.Set, func(o Planned) bool { return o.Config.ID() == manifest.ID() }) {
			return p.run.object(manifest)
		}
	}
	return r.run.object(manifest)
}

// OptionsOf are those by which an outcome of the plan was made.
func (p *Plan) OptionsOf(o *Outcome) Options { return p.Rehearsal().of(o).Options }

// of is the run that an outcome is of.
func (r *Rehearsal) of(o *Outcome) *run {
	for _, p := range r.parts {
		if p.By == o.By {
			return p.run
		}
	}
	return r.run
}

// Previous is the manifest that an object was applied from before: that of the
// release, the last-applied one, or, of a server-side apply, what its manager still
// owns. That one is rebuilt, and lacks what other managers have taken since. The
// manifest is nil where nothing tells it.
func (r *Rehearsal) Previous(o *Outcome) (previous *manifest.Object, rebuilt bool) {
	applied := o.lastApplied
	if original := r.of(o).originals[o.Config.ID()]; original != nil {
		applied = original.Tree
	} else if o.Applier != "" {
		applied = r.run.server.Extract(o.Kind, o.Before, o.Applier)
		if rebuilt = applied != nil; !rebuilt {
			applied, _, _ = ReadLastApplied(o.Before)
		}
	}
	if applied == nil {
		return nil, false
	}
	obj := *o.Config
	obj.Kind, obj.Tree = schema.ParseKind(tree.String(applied, "apiVersion"), tree.String(applied, "kind")), applied
	if obj.ID() != o.Config.ID() {
		return nil, false
	}
	return &obj, rebuilt
}

// Again is the outcome of applying another manifest of an object on what an
// outcome leaves of it. The rest of the cluster is as it was.
func (r *Rehearsal) Again(o *Outcome, next *manifest.Object) *Outcome {
	left := *o.Config
	switch {
	case o.Applier == "":
		left.Tree = o.Result // a client-side apply does not look at managedFields
	case o.Migration != nil && !o.Migration.Shown:
		left.Tree = o.Migration.Result // which a real apply goes on to make
	default:
		left.Tree = o.Stored()
	}
	again := *r.of(o)
	switch {
	case again.By != nil:
		again.By.again(&again, o, &left)
	case o.Applier == "":
		// A rehearsal of kubectl diff does not write the annotation.
		if text, err := LastAppliedText(o.Config.Tree); err == nil {
			left.Tree = tree.CopyObject(left.Tree)
			tree.Set(left.Tree, text, "metadata", "annotations", LastAppliedKey)
		}
	}
	again.stored, again.LastApplied, again.Diff = &left, nil, false
	again.hidden = hiddenIn(o)
	return again.object(next)
}

// InVersion is the live object as the server returns it in the version of a kind.
func (r *Rehearsal) InVersion(live *manifest.Object, kind schema.Kind) tree.Object {
	return r.run.inVersion(live, kind)
}

// Completed is an object with what the server adds to it; nil if it is rejected.
func (r *Rehearsal) Completed(kind schema.Kind, obj tree.Object) tree.Object {
	return r.run.server.Completed(kind, obj)
}

// Create is why the server refuses to create an object, nil if it accepts.
func (r *Rehearsal) Create(kind schema.Kind, obj tree.Object) *fault.Rejection {
	return r.run.server.Create(kind, obj).Rejection
}

// Write is the object that a manager's patch leaves which makes the changed object
// of the one before, or why the server refuses it; both are nil if nothing changes
// or no patch can be computed.
func (r *Rehearsal) Write(manifest *manifest.Object, before, changed tree.Object, manager string) (tree.Object, *fault.Rejection) {
	o := &Outcome{Kind: manifest.Kind, Config: manifest, Before: before, lastApplied: before}
	if err := r.run.patch(o, changed); err != nil || len(o.Patch) == 0 {
		return nil, nil
	}
	res := r.run.server.Patch(o.Kind, before, o.Patch)
	if res.Rejection != nil {
		return nil, res.Rejection
	}
	return res.Owned(manager, r.run.Live.NewestWrite), nil
}
