package rehearsal

import (
	"strconv"

	"threeway/merge/fault"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// Alone is a rehearsal of single objects with the options, of which Manifests may be empty.
// Values that are redacted in the snapshot are taken from the manifests where they fit.
func Alone(opts Options, manifests ...*manifest.Object) *Run {
	r := New(opts, NewCatalog(opts))
	if len(manifests) > 0 {
		r, _ = r.Reveal(manifests, nil)
	}
	return r
}

// Previous is the manifest that an object was applied from before: that of the
// release, the last-applied one, or, of a server-side apply, what its manager still
// owns. That one is rebuilt, and lacks what other managers have taken since. The
// manifest is nil where nothing tells it.
func (r *Run) Previous(o *Outcome) (previous *manifest.Object, rebuilt bool) {
	applied := o.Original
	if original := r.Originals[o.Manifest.ID()]; original != nil {
		applied = original.Tree
	} else if o.Applier != "" {
		applied = r.Server.Extract(o.Kind, o.Before, o.Applier)
		if rebuilt = applied != nil; !rebuilt {
			applied, _, _ = ReadLastApplied(o.Before)
		}
	}
	if applied == nil {
		return nil, false
	}
	obj := *o.Manifest
	obj.Kind, obj.Tree = schema.ParseKind(tree.String(applied, "apiVersion"), tree.String(applied, "kind")), Named(applied, o.Manifest.ID())
	if obj.ID() != o.Manifest.ID() {
		return nil, false
	}
	return &obj, rebuilt
}

// Next is the outcome of applying another manifest of an object on what an
// outcome leaves of it. The rest of the cluster is as it was.
func (r *Run) Next(o *Outcome, next *manifest.Object) *Outcome {
	var left *manifest.Object
	switch {
	case o.Applier == "":
		left = o.Left(o.Result) // a client-side apply does not look at managedFields
	case o.Migration != nil && !o.Migration.Shown:
		left = o.Left(o.Migration.Result) // which a real apply goes on to make
	default:
		left = o.Left(o.Stored())
	}
	if r.Diff && o.Applier == "" { // the rehearsal has not written the annotation
		if text, err := LastAppliedText(o.Manifest.Tree); err == nil {
			left.Tree = tree.CopyObject(left.Tree)
			tree.Set(left.Tree, text, "metadata", "annotations", LastAppliedKey)
		}
	}
	if tree.Has(next.Tree, "metadata", "resourceVersion") && (differ(o.Before, o.Result, nil) || differ(o.Result, o.Before, nil)) { // the write has given it a new one
		was, _ := strconv.ParseUint(tree.String(left.Tree, "metadata", "resourceVersion"), 10, 64)
		left.Tree = tree.CopyObject(left.Tree)
		tree.Set(left.Tree, strconv.FormatUint(was+1, 10), "metadata", "resourceVersion")
	}
	later := r.On(left)
	later.LastApplied, later.Diff = nil, false
	later.Originals = map[manifest.Identity]*manifest.Object{o.Manifest.ID(): o.Manifest}
	later.Mutated = Mutated(o)
	return later.Object(next)
}

// On is the rehearsal with another live object in place of the one with its identity. One
// without a tree is deleted.
func (r *Run) On(live *manifest.Object) *Run {
	later := *r
	later.stored = live
	return &later
}

// Completed is an object with what the server adds to it; nil if it is rejected.
func (r *Run) Completed(kind schema.Kind, obj tree.Object) tree.Object {
	return r.Server.Completed(kind, obj)
}

// CreateRejection is why the server refuses to create an object, nil if it accepts.
func (r *Run) CreateRejection(kind schema.Kind, obj tree.Object) *fault.Rejection {
	return r.Server.Create(kind, obj).Rejection
}
