package lint

import (
	"strings"

	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/memo"
	"threeway/merge/owners"
	"threeway/merge/promise"
	"threeway/merge/rehearsal"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
	"threeway/merge/workflow"
)

// Object is one object of the manifests and what would happen to it. In its
// trees, the values of Secrets and other declared secrets are masked. Rules
// must not change it.
type Object struct {
	*rehearsal.Outcome
	// Schema is the type of a built-in kind, or nil.
	Schema *schema.Type

	in          *Input
	bare        *rehearsal.Outcome // not masked
	stored      tree.Object        // what counts as last applied if the live object does not tell; nil if nothing does
	lastApplied memo.Value[tree.Object]
	lists       memo.Value[[]List]
	changes     memo.Value[[]explain.Change]
	owners      memo.Value[[]owners.Entry]
	faults      []Fault
	masked      bool // the object holds secrets
	unseen      bool // no snapshot tells whether it is live
	shared      memo.Types
}

func newObject(out *rehearsal.Outcome, stored tree.Object, in *Input) *Object {
	o := &Object{Outcome: out, Schema: schema.Lookup(out.Kind), in: in, bare: out, stored: stored}
	o.masked = out.HasSecrets(in.Secrets) || in.Secrets.Holds(stored)
	o.faults = faults(out, o.masked)
	if o.masked {
		o.Outcome = out.Masked(in.Secrets)
		o.Migration = nil // quotes values
	}
	o.unseen = (in.Options.Live == nil || len(in.Options.Live.Entries) == 0) && !in.Options.EmptyCluster
	return o
}

// Name returns ns/Kind.group/name.
func (o *Object) Name() string { return o.Identity().String() }

// Target returns the object as an argument of kubectl: deployment/api -n shop.
func (o *Object) Target() shell.Arg { return Target(o.Manifest) }

// Where is what a person edits to change the manifest, for the fix of a finding: the
// manifest, or what a chart was rendered with.
func (o *Object) Where() string {
	if strings.Contains(o.Manifest.Origin.Template, "/templates/") {
		return "the chart's values"
	}
	return "the manifest"
}

// Target returns an object, from a manifest or live, as an argument of kubectl.
func Target(o *manifest.Object) shell.Arg {
	return workflow.Target(o)
}

// Unseen reports whether the object counts as created only because there is no
// snapshot: the cluster may have it.
func (o *Object) Unseen() bool { return o.unseen }

// Is reports whether the kind, written Kind.group, is one of those named.
func (o *Object) Is(groupKinds ...string) bool {
	have := o.Kind.GroupKind()
	for _, k := range groupKinds {
		if k == have {
			return true
		}
	}
	return false
}

// LastApplied returns the last-applied manifest, or nil.
func (o *Object) LastApplied() tree.Object {
	return o.lastApplied.Get(func() tree.Object { return o.in.Secrets.As(o.bare.Manifest.Tree, o.bareLast()) })
}

func (o *Object) bareLast() tree.Object {
	last := o.bare.Original
	if last == nil {
		last = o.stored
	}
	if last == nil && o.Live != nil {
		last, _, _ = rehearsal.ReadLastApplied(o.Live.Tree)
	}
	return last
}

// OnlyLive returns the places of the items of a live list that neither the manifest nor last-applied has:
// by their values, of which masks would tell nothing.
func (o *Object) OnlyLive(path fieldpath.Path) []int {
	live, _ := o.Find(path, o.bare.Before)
	last, _ := o.Find(path, o.bareLast())
	said, _ := o.Find(path, o.bare.Manifest.Tree)
	return promise.OnlyIn(tree.List(live), last, said)
}

// Shared returns the result of compute for an object. It is computed once for
// all rules that ask for the same type of result, so compute must not depend on
// the rule.
func Shared[T any](o *Object, compute func() T) T {
	return memo.Of(&o.shared, compute)
}

// Changes returns the fields that the apply would change, with the reasons.
func (o *Object) Changes() []explain.Change {
	return o.changes.Get(func() []explain.Change { return explain.FieldChanges(o.Outcome) })
}

// Missing returns what the manifest says that is not in the result.
func (o *Object) Missing() []promise.Broken { return promise.Said(o.bare) }

// Overwritten returns, by the paths of the changes, what the apply changes that others have changed
// since the last one. In a server-side apply that conflicts, but for a map that another value replaces:
// what managers own below it is no field of that value.
func (o *Object) Overwritten() map[string]explain.Drift {
	type overwritten map[string]explain.Drift
	return Shared(o, func() overwritten {
		by := overwritten{}
		if o.Action != rehearsal.Configured {
			return by
		}
		fields, _, judged := explain.DriftOf(o.bare)
		for _, d := range fields {
			if judged == explain.ByValues && d.Undone() && (d.ReplacesMap() || !o.AppliedServerSide()) {
				d.Anew = d.Anew || o.AppliedServerSide()
				by[d.Path.String()] = d
			}
		}
		return by
	})
}

// Staying returns what left the manifest and stays in the result.
func (o *Object) Staying() []promise.Staying { return promise.Gone(o.bare) }

// Again returns the object of the same apply once more, on what this one leaves, and the fields
// that it changes; nil if it is accepted and changes nothing.
func (o *Object) Again() (next *Object, changes []fieldpath.Path) {
	s := promise.Again(o.bare)
	if s == nil {
		return nil, nil
	}
	type again *Object
	return Shared(o, func() again { return newObject(s.Outcome, nil, o.in) }), s.Changes
}

// Blocking returns the live fields because of which an update with a manifest that is valid alone is rejected.
func (o *Object) Blocking() []fieldpath.Path { return promise.Blocking(o.bare) }

// Emptied reports whether a server-side apply is rejected because it stores null for an empty map of the
// manifest, all of whose fields it removes: the manifest is valid alone.
func (o *Object) Emptied(p fieldpath.Path) bool {
	if o.Action != rehearsal.Rejected || o.ServerSide == nil || o.Before == nil || len(p) == 0 || !promise.Alone(o.bare) {
		return false
	}
	said, set := p.Find(o.bare.Target())
	merged, _ := p.Find(o.Rejection.Object)
	return set && said != nil && tree.Empty(said) && merged == nil
}

// MergedWrong reports whether an apply is rejected because of how kubectl merges the items of a
// list: the manifest is valid, alone and where the server merges it.
func (o *Object) MergedWrong() bool {
	if o.Action != rehearsal.Rejected || o.Before == nil || o.Run == nil || o.PatchType != rehearsal.StrategicMerge || !promise.Alone(o.bare) {
		return false
	}
	obj := tree.CopyObject(o.bare.Manifest.Tree)
	tree.Set(obj, tree.String(o.bare.Before, "metadata", "resourceVersion"), "metadata", "resourceVersion")
	tree.DropNulls(obj)
	return o.Run.Server.Update(o.Kind, o.bare.Before, obj).Rejection == nil
}

// Merged returns the object after the merge: the server's result, or what the server
// rejected.
func (o *Object) Merged() tree.Object {
	switch {
	case o.Result != nil:
		return o.Result
	case o.Rejection == nil || o.Rejection.Object == nil:
		return o.Manifest.Tree
	case o.masked:
		type result tree.Object
		return tree.Object(Shared(o, func() result { return result(o.in.Secrets.As(o.bare.Manifest.Tree, o.Rejection.Object)) }))
	}
	return o.Rejection.Object
}

// InConfig turns a path in the merged object into one that is valid in the
// manifest too.
func (o *Object) InConfig(p fieldpath.Path) fieldpath.Path { return o.Keyed(p, o.Merged()) }

// child returns a field of a type, and the type of its value.
func child(t *schema.Type, name string) (*schema.Field, *schema.Type) {
	switch {
	case t == nil:
	case t.Form == schema.Struct:
		if f := t.Field(name); f != nil {
			return f, f.Type
		}
	case t.Form == schema.Map:
		return nil, t.Elem
	}
	return nil, nil
}

func elem(t *schema.Type) *schema.Type {
	if t == nil {
		return nil
	}
	return t.Elem
}

// Definition returns the CustomResourceDefinition of the object's kind if it is
// in the manifests, or nil.
func (o *Object) Definition() *manifest.Object {
	return o.in.order().definitions[schema.Kind{Group: o.Kind.Group, Kind: o.Kind.Kind}]
}

// Later returns the manifest with that identity if kubectl applies it after
// this object, or nil.
func (o *Object) Later(id manifest.Identity) *manifest.Object {
	return o.in.order().after(o.Manifest, id)
}
