// Package merge rehearses the apply of a set of manifests: it puts them into the order
// of the program that applies, has package rehearsal say of each object what would
// happen, and adds what only the whole set tells: what is deleted, what is unknown, and
// what an apply after this one does. It knows no output formats and reads no files.
package merge

import (
	"slices"

	"threeway/merge/by/kubectl"
	"threeway/merge/gap"
	"threeway/merge/kube"
	"threeway/merge/manifest"
	"threeway/merge/manifest/sops"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
	"threeway/merge/snapshot"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// Options are the inputs of the rehearsal of a set.
type Options struct {
	// Options are those for each object. Manifests are the set; Minor, Live and By
	// may be unset, and then are DefaultMinor, an empty snapshot and kubectl.
	rehearsal.Options
	// Notes are what the caller has to say of the inputs; they come first in those
	// of the plan.
	Notes []string
	// Select drops config objects; nil keeps all. kubectl's -l.
	Select func(labels map[string]any) bool
	// Only chooses the objects of the set whose outcomes the plan is to have;
	// nil: all.
	Only func(*manifest.Object) bool
	// Prune asks for what --prune would delete; nil for no prune.
	Prune *PruneOptions
	// Parts divides Manifests if several programs apply it, each a part; nil if one does.
	Parts []Part
	// Base is what stands in for Live, set by From; nil with a snapshot.
	Base *Base
	// Open are the placeholders that have no value where others have one, as in what Flux
	// substitutes.
	Open []string
	// Gaps are what the caller knows to be unknown.
	Gaps gap.List
	// Former are the manifests before the change, with which those are compared that nothing
	// else tells the live values of; nil if they are unknown.
	Former *Former
	// Before is an earlier plan, from which the outcomes of manifests are taken that
	// neither they nor anything else has changed since; nil rehearses all. The plan is
	// the same either way.
	Before *Plan

	sealed map[*manifest.Object]tree.Object // manifests that SOPS has encrypted, with what it adds
}

// NewRehearsal applies single objects with the options, in any order. Values that are
// redacted in the snapshot are taken from the manifests where they fit.
func NewRehearsal(opts Options, manifests ...*manifest.Object) *rehearsal.Run {
	return rehearsal.Alone(opts.rehearsed().Options, manifests...)
}

// rehearsed are the options of the objects, all set.
func (opts Options) rehearsed() Options {
	if opts.Minor == 0 {
		opts.Minor = rehearsal.DefaultMinor
	}
	if opts.Live == nil {
		opts.Live = &manifest.Snapshot{}
	}
	if opts.By == nil {
		opts.By = kubectl.Kubectl{}
	}
	opts.Assumed = opts.Base != nil
	opts.Options = opts.By.Adapt(opts.Options)
	return opts
}

// Plan is the predicted result of applying a set of manifests, in kubectl's order.
type Plan struct {
	Minor      int
	ServerSide bool
	// Diff tells that kubectl diff is rehearsed, not apply.
	Diff bool
	// Set has all objects that are applied; Outcomes has those that
	// Options.Only chooses.
	Set      []rehearsal.Planned
	Outcomes []*rehearsal.Outcome
	// Problems are those of reading config and snapshot and of namespaces.
	Problems []manifest.Problem
	// Prune is what --prune would delete; nil if not asked for, or if an
	// error keeps kubectl from pruning.
	Prune *prune.Result
	// ApplySet is that of --applyset; nil without one, or without a valid one.
	ApplySet *prune.ApplySet
	// Refused says why kubectl would refuse the whole run, if the options ask
	// to continue anyway; else that is New's error.
	Refused []*prune.Refusal
	// Base is what stands in for a snapshot; nil with one.
	Base *Base
	// Left are the former manifests that are gone and whose objects the apply leaves in the
	// cluster, in their order.
	Left []*manifest.Object
	// By is the program that applies.
	By rehearsal.Applier
	// Parts are the plans of the programs, if several apply the set: Outcomes, Prune and
	// Gaps are those of all of them. They are nil if one does.
	Parts []*Plan
	// Warnings are the server's about no object, without "Warning: ".
	Warnings []string
	// Shown tells that the outcomes are what Argo CD shows, not what a sync does.
	Shown bool

	Unknown

	live *manifest.Snapshot
	run  *run
	// extraneous is what an Application tracks and no manifest has.
	extraneous *prune.Result
}

// Unknown is what a plan does not tell.
type Unknown struct {
	// Asked are the admission webhooks that the server asks about the outcomes. What
	// they answer is unknown.
	Asked []rehearsal.Asked
	// Notes say, once each, where the real outcome may differ.
	Notes []string
	// Gaps are what the plan does not tell; nil if it is complete. Add adds to it.
	Gaps gap.List
	// Unseen are the changes of which the values are unknown.
	Unseen []gap.Unseen

	// gone are former manifests that are gone, of kinds that the snapshot does not have.
	gone []*manifest.Object
}

// Undefined lists the kinds that no CustomResourceDefinition of the set, the
// snapshot or --crd defines, so that their objects are merged and no more.
func (p *Plan) Undefined() []string {
	return p.kinds(func(o *rehearsal.Outcome) bool { return o.Undefined })
}

// Unserved lists the kinds that the cluster does not serve, as the tables or the
// definitions in the snapshot show, so that their objects are rejected.
func (p *Plan) Unserved() []string {
	return p.kinds(func(o *rehearsal.Outcome) bool { return o.Unserved })
}

func (p *Plan) kinds(of func(*rehearsal.Outcome) bool) []string {
	var kinds []string
	for _, o := range p.Outcomes {
		if of(o) {
			kinds = append(kinds, o.Kind.GroupKind())
		}
	}
	return phrase.Distinct(kinds)
}

// Undoes says when the programs undo what was changed in the cluster, those that do so
// before the next apply.
func (p *Plan) Undoes() (notes []string) {
	for _, part := range p.Parts {
		notes = append(notes, part.By.Undoes()...)
	}
	return phrase.Distinct(append(notes, p.By.Undoes()...))
}

// Apply is the outcome of applying one manifest more.
func (p *Plan) Apply(manifest *manifest.Object) *rehearsal.Outcome {
	for _, part := range p.Parts {
		if slices.ContainsFunc(part.Set, func(o rehearsal.Planned) bool { return o.Manifest.ID() == manifest.ID() }) {
			return part.run.Object(manifest)
		}
	}
	return p.run.Object(manifest)
}

// Failed tells that the snapshot has changed while it was used, so that the
// plan means nothing.
func (p *Plan) Failed() error { return p.live.Failed() }

// New rehearses the apply of all manifests in the order of the program. Manifests is given
// up to it: namespaces are filled in, and what SOPS has encrypted is replaced. An error is
// a refusal of the whole run, in the words of the program; a manifest that cannot be read
// is in Problems, an object that is rejected in its outcome, and what is doubtful in
// Gaps and Notes.
func New(opts Options) (*Plan, error) {
	if len(opts.Parts) > 0 {
		return newOfParts(opts)
	}
	opts = opts.rehearsed()
	opts.sealed = sops.Strip(opts.Manifests)
	if err := sops.Whole(opts.sealed, opts.Manifests); err != nil {
		return nil, err
	}
	before := opts.Before.asEarlier(opts)
	opts.Before = nil // which would keep all plans before it
	r := &run{rehearsal.New(opts.Options, before.catalog(opts)), opts}
	r.Validate()
	if r.Refusal != nil {
		return nil, r.Refusal
	}
	objects := before.recall(r, opts.Manifests.Build(r.builder()))
	plan := &Plan{Minor: opts.Minor, ServerSide: opts.ServerSide != nil, Diff: opts.Diff, By: opts.By, live: opts.Live}
	plan.Problems = manifest.Bounded(slices.Concat(plan.Problems, opts.Manifests.Problems, opts.Live.Problems))
	for _, o := range objects {
		if o.Kind.GroupKind() == "Secret" && r.Live.FindEntry(o.ID()) != nil {
			if err := snapshot.Masked(r.Live.Find(o.ID())); err != nil {
				return nil, err
			}
		}
	}
	former := r.former()
	assumed := sops.Assume(objects, opts.sealed, r.Live, former)
	var redacted rehearsal.Revealed
	r.Run, redacted = r.Reveal(objects, former)
	plan.run = r
	var pruning *pruning
	if opts.Prune != nil {
		var err error
		if pruning, err = r.startPruning(objects, plan); err != nil {
			return nil, err
		}
	}
	plan.Set = r.objects(objects, before)
	for _, o := range plan.Set {
		if r.asked(o.Manifest) {
			plan.Outcomes = append(plan.Outcomes, o.Outcome())
		}
	}
	again, asBefore := r.asBefore(plan)
	r.leaveRepeated(plan)
	plan.Asked = r.AskedWebhooks(plan.Outcomes)
	after := r.By.After(r.Run, rehearsal.Results{Set: plan.Set, Outcomes: plan.Outcomes})
	plan.Notes, plan.Unseen = slices.Concat(opts.Notes, redacted.Notes, plan.Notes), slices.Concat(assumed.Unseen, redacted.Unseen)
	plan.Add(slices.Concat(opts.Gaps, assumed.Gaps, redacted.Gaps)...)
	for _, u := range plan.Unseen {
		plan.Notes = append(plan.Notes, u.Object.String()+": "+u.Text)
	}
	r.notes(plan, after)
	plan.Prune, plan.extraneous = after.Prune, after.Extraneous
	plan.Notes = append(plan.Notes, staying(after.Prune)...)
	if pruning != nil {
		r.preview(pruning, plan)
	}
	plan.Notes = append(plan.Notes, after.Last...)
	if opts.Base != nil {
		plan.Base, plan.Notes = opts.Base, slices.Concat(opts.Base.notes(plan.Outcomes), lacking(again), plan.Notes)
	}
	r.compare(plan)
	if asBefore != "" && plan.Changes() {
		plan.Notes = append(plan.Notes, asBefore)
	}
	r.unread(plan)
	r.unmapped(plan)
	r.compareGaps(plan)
	return plan, nil
}

// run is the state of the rehearsal of a set.
type run struct {
	*rehearsal.Run
	given Options
}

// builder reads the manifests as kubectl does. The other programs map kinds later, in ways
// of their own.
func (r *run) builder() manifest.Builder {
	b := manifest.Builder{
		Select:     r.given.Select,
		Scope:      r.Catalog.Scope,
		Resource:   r.Catalog.Plural,
		Diff:       r.Diff,
		ServerSide: r.ServerSide != nil,
		Namespace:  r.Namespace,
		Enforce:    r.Enforce,
	}
	if r.By.Claim().IsKubectl() {
		b.Mapped = r.Maps
		b.OneLine = kube.ObjectInOneLine.In(r.Minor)
	}
	return b
}

func (r *run) asked(o *manifest.Object) bool { return r.given.Only == nil || r.given.Only(o) }
