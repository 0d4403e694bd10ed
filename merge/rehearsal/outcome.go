package rehearsal

import (
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/memo"
	"threeway/merge/tree"
)

// Action is what happens to an object, in kubectl's words.
type Action string

// The actions.
const (
	Created    Action = "created"
	Configured Action = "configured"
	Unchanged  Action = "unchanged"
	Rejected   Action = "rejected"
	// NotApplied is what is said of an outcome that is Stopped, whatever its action.
	NotApplied Action = "not applied"
)

// Outcome is what would happen to one object of the manifests.
type Outcome struct {
	Kind     schema.Kind
	Manifest *manifest.Object
	Live     *manifest.Object // nil if there is none
	Action   Action
	Request
	States
	Answer
	Admission
	Conflicts

	// By is the program that applies the object, and Applied what it alone knows of it,
	// a type of its package; nil if there is nothing.
	By      Applier
	Applied any
	Fate
	// Run is the rehearsal that it is of; nil if it is of none.
	Run     *Run
	learned *learned // nil if nothing is remembered
}

// Request is what the applier sends.
type Request struct {
	Resource string // plural name, for kubectl's texts
	// Patch is the body: a patch of the type in PatchType, or the whole object on
	// create. Empty when unchanged.
	Patch     tree.Object
	PatchType PatchType
	// ServerSide is that of the options, and Applier the manager that applies
	// server-side, "" in a client-side apply.
	ServerSide *ServerSide
	Applier    string
	// Original is the manifest applied before that the patch was computed from; nil
	// if there is none, or if no patch was.
	Original tree.Object
	// Marked is the manifest with the marks that the applier adds; nil if it adds none.
	Marked tree.Object
	// Migration is what a real server-side apply goes on to do; nil if nothing.
	Migration *Migration
}

// States are the object before and after.
type States struct {
	// Before is the live object as kubectl reads it, in the manifest's version;
	// Result is the object as the server would return it, but for its
	// managedFields, which Stored adds. Result is nil if the object is
	// rejected.
	Before, Result tree.Object
	// TakenOver is Before after the applier has taken over fields; nil if it takes none.
	TakenOver tree.Object
	// Owned is Result with its managedFields; nil if it has them.
	Owned func() tree.Object
	// Fresh is the object as creating the manifest anew would give it; nil if the
	// manifest was rejected before.
	Fresh func() tree.Object
}

// Answer is what kubectl and the server say of the object.
type Answer struct {
	// Rejection is why kubectl or the server does not apply the object; nil if
	// they do. Later is the rejection of the next apply, if this one only defines
	// the kind.
	Rejection, Later *fault.Rejection
	// Warnings are kubectl's and the server's, without "Warning: ".
	Warnings []fault.Warning
	// Dropped are the fields that the server does not know.
	Dropped []fault.Fault
	// Placeholders are those of the manifest where no literal text like them is valid.
	Placeholders []string
	// RejectedPods is why the server would reject the Pods of a workload that it
	// accepts, once the whole set is applied; empty if it would not, nil if it has none.
	RejectedPods func() Refusal
	// Undefined tells that nothing is known of its kind, Unserved that the cluster does
	// not serve it.
	Undefined, Unserved bool
}

// Refusal is why the server would reject an object that is not in the manifests, such as a Pod, and
// which object of the cluster decides it; empty if it would not.
type Refusal struct {
	fault.Text
	By fault.Decider
}

// refusal is that of a rejection, or of none.
func refusal(no *fault.Rejection) (r Refusal) {
	r.Text, r.By = no.Why()
	return r
}

// Conflicts are those with other managers in a server-side apply.
type Conflicts struct {
	// Contended are the fields for which a forced server-side apply would be
	// refused without force, set by ByOwners.
	Contended []fieldpath.Path

	contested func() ([]Contest, error)
}

// Fate is what the applier does besides, or instead.
type Fate struct {
	// Stopped tells that the applier does not get to the object, because it is stopped by
	// the rejection of another: Result is what a later run would make.
	Stopped bool
	// Recreated tells that the live object is deleted first: Result is a new one.
	Recreated bool
	// Skipped is the label or annotation because of which the applier leaves the object
	// alone, so that it is unchanged and nothing is sent; "" if it does not.
	Skipped string
}

// Undecided is what decides about an object and no file tells.
type Undecided struct {
	Object manifest.Identity
	kube.Undecided
}

// Admission is what admission policies have done to an object, and said of it.
type Admission struct {
	// Advice are those of the warnings that policies have given.
	Advice []kube.PolicyWarning
	// Mutations are what mutating policies have changed, in order.
	Mutations []kube.Mutation
	// Undecided is what policies need to know.
	Undecided []kube.Undecided

	mutated []kube.Mutation // by the apply before, that may have values of Secrets
}

// learned is what was found out about one outcome, by type.
type learned struct {
	of      *Outcome
	answers memo.Types
	items   fieldpath.Finder
}

// Find returns the value at a path in one of the outcome's trees, and whether it is there.
func (o *Outcome) Find(p fieldpath.Path, in any) (any, bool) {
	if o.learned == nil {
		return p.Find(in)
	}
	return o.learned.items.Find(p, in)
}

// Has reports whether one of the outcome's trees has a value at a path that is not null.
func (o *Outcome) Has(p fieldpath.Path, tree tree.Object) bool {
	v, ok := o.Find(p, tree)
	return ok && v != nil
}

// Remember returns what find finds out about an outcome. It is found once for all who
// ask for the same type, also in later plans that take the outcome over, so find must
// depend on the outcome and on the rehearsal of its plan alone. Of a copy of an outcome
// nothing is remembered.
func Remember[T any](o *Outcome, find func() T) T {
	if o.learned == nil || o.learned.of != o {
		return find()
	}
	return memo.Of(&o.learned.answers, find)
}

// PatchType is the kind of request that carries Patch.
type PatchType string

// The patch types, by their media types, a create and a PUT of the whole object, and a
// server-side apply.
const (
	StrategicMerge PatchType = "application/strategic-merge-patch+json"
	JSONMerge      PatchType = "application/merge-patch+json"
	Create         PatchType = "application/json"
	Put            PatchType = "application/json; PUT"
	Apply          PatchType = "application/apply-patch+yaml"
)

// Identity of the object.
func (o *Outcome) Identity() manifest.Identity { return o.Manifest.ID() }

// Target is what is applied: the manifest, with the marks that the applier adds.
func (o *Outcome) Target() tree.Object {
	if o.Marked == nil {
		return o.Manifest.Tree
	}
	return o.Marked
}

// Marks reports whether the applier, and not the manifest, sets a label or annotation.
func (o *Outcome) Marks(p fieldpath.Path) bool {
	if len(p) < 2 || p[0].Field != "metadata" {
		return false
	}
	_, inManifest := p.Find(o.Manifest.Tree)
	_, isSet := p.Find(o.Target())
	return isSet && !inManifest
}

// Taken is Before with the managers that it has when the manifest is applied: an
// applier may take over fields first.
func (o *Outcome) Taken() tree.Object {
	if o.TakenOver == nil {
		return o.Before
	}
	return o.TakenOver
}

// Stored is Result with the managedFields that it would have.
func (o *Outcome) Stored() tree.Object {
	if o.Owned == nil {
		return o.Result
	}
	return o.Owned()
}

// Left is the object that the outcome leaves, with one of its trees.
func (o *Outcome) Left(obj tree.Object) *manifest.Object {
	if o.Owned != nil && o.Run != nil && (o.Migration == nil || o.Migration.Shown) {
		return o.Manifest.ServedBy(o.Run.Minor, obj)
	}
	left := *o.Manifest
	left.Tree = obj
	return &left
}

// Masked is the outcome with its trees masked. What Rejection and Warnings hold
// stays: their texts show values only to who asks for that.
func (o *Outcome) Masked(p *mask.Policy) *Outcome {
	m := *o
	m.Before, m.Result = p.Pair(o.Before, o.Result)
	m.Before, m.Result = o.HidePair(p, m.Before, m.Result)
	if owned := o.Owned; owned != nil {
		m.Owned = func() tree.Object {
			_, stored := p.Pair(o.Before, owned())
			return o.Hide(p, stored)
		}
	}
	config := *o.Manifest
	_, config.Tree = p.Pair(o.Before, o.Manifest.Tree)
	m.Manifest = &config
	m.Original = p.As(o.Manifest.Tree, o.Original)
	if o.Marked != nil {
		_, m.Marked = p.Pair(o.Before, o.Marked)
	}
	if fresh := o.Fresh; fresh != nil {
		m.Fresh = func() tree.Object { return p.As(o.Manifest.Tree, fresh()) }
	}
	return &m
}

// Versions are the object as it is to be applied, as it was applied last, as it
// is live, and as it would be; nil where there is none.
func (o *Outcome) Versions() []tree.Object {
	return []tree.Object{o.Manifest.Tree, o.Original, o.Before, o.Result}
}

// Stays reports whether the apply leaves the object as it is, although kubectl may send a patch: one with
// readOnly: false sets what the server drops.
func (o *Outcome) Stays() bool {
	return o.Action == Unchanged || o.Action == Configured && tree.Equal(o.Before, o.Result)
}

// Verb is kubectl's word for what happened: a server-side apply has one only.
func (o *Outcome) Verb() string {
	if o.PatchType == Apply && o.Action != Rejected {
		return "serverside-applied"
	}
	return string(o.Action)
}
