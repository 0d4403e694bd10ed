// Package merge rehearses kubectl apply: it pairs every config object with its
// live one, computes the patch kubectl would send, lets the simulated API
// server apply it, and says of each object what would happen and of each field
// why. It knows no output formats and reads no files itself.
package merge

import (
	"slices"
	"sync"

	"threeway/merge/manifest"
	"threeway/merge/parallel"
	"threeway/merge/prune"
	"threeway/merge/redact"
	"threeway/merge/schema"
	"threeway/merge/server"
	"threeway/merge/server/policy"
	"threeway/merge/server/quota"
	"threeway/merge/snapshot"
	"threeway/merge/tree"
)

// DefaultMinor is the Kubernetes minor that is simulated if neither the user nor the
// snapshot names one. OldestMinor and NewestMinor are the ends of what the tables know.
const (
	OldestMinor  = 28
	DefaultMinor = 37
	NewestMinor  = 37
)

// Options are the inputs of a rehearsal.
type Options struct {
	// Cores is how many objects are worked on at a time.
	Cores  parallel.Cores
	Config *manifest.Set
	Live   *manifest.Snapshot
	// EmptyCluster says that nothing is live of any kind, so that an empty
	// snapshot, or none, tells all.
	EmptyCluster bool
	// Minor is the Kubernetes minor to simulate; 0 is DefaultMinor.
	Minor int
	// Exported is the minor of the server that Live comes from; 0 if it is not
	// known. Objects of another minor than the simulated one are read as it reads
	// them.
	Exported int
	// Notes are what the caller has to say of the inputs; they come first in those
	// of the plan.
	Notes []string
	// Diff rehearses kubectl diff instead of kubectl apply: last-applied is
	// not written, unknown fields are warnings, resourceVersion is ignored.
	Diff bool
	// Lenient drops unknown fields with a warning in an apply too: kubectl's
	// --validate=warn and ignore.
	Lenient bool
	// Unwarned is Lenient without a word, as kubectl --validate=ignore.
	Unwarned bool
	// ServerSide asks for a server-side apply; nil for a client-side one.
	ServerSide *ServerSide
	// Manager is who applies client-side (--field-manager),
	// kubectl-client-side-apply if empty.
	Manager string
	// User is who applies, as far as admission policies ask; nil if that is not
	// known.
	User *User
	// KeepConflicts is kubectl's --overwrite=false.
	KeepConflicts bool
	// LastApplied holds configs that stand in for the last-applied annotation
	// of the live objects of the same identity, for snapshots without it.
	LastApplied map[manifest.Identity]tree.Object
	// Definitions are CustomResourceDefinitions from files of their own.
	Definitions []*manifest.Object
	// Namespace is the one of objects that name none, "default" if empty.
	// Enforce says that it was given: other namespaces are an error.
	Namespace string
	Enforce   bool
	// Select drops config objects; nil keeps all. kubectl's -l.
	Select func(labels map[string]any) bool
	// Only chooses the objects of the set whose outcomes the plan is to have;
	// nil: all.
	Only func(*manifest.Object) bool
	// Prune asks for what --prune would delete; nil for no prune.
	Prune *PruneOptions
	// By is the program that applies the manifests; nil for kubectl.
	By Applier
	// Parts divides Config if several programs apply it, each a part; nil if one does.
	Parts []Part
	// Redaction is the key that values of the snapshot were redacted with; nil
	// if it is not known.
	Redaction *redact.Key
	// Base is what stands in for Live, set by From; nil with a snapshot.
	Base *Base
	// Before is an earlier plan, from which the outcomes of manifests are taken that
	// neither they nor anything else has changed since; nil rehearses all. The plan is
	// the same either way.
	Before *Plan

	hidden map[manifest.Identity][]policy.Change // of the plan before, by Then

	sealed map[*manifest.Object]bool // manifests that SOPS has encrypted
	beside *run                      // of another part, whose namespaces and classes are there
}

// User is who applies, as kubectl's --as, --as-uid and --as-group name them.
type User struct {
	Name, UID string
	Groups    []string
}

// Plan is what an apply of a set of configs would do, in kubectl's order.
type Plan struct {
	Minor      int
	ServerSide bool
	// Diff tells that kubectl diff is rehearsed, not apply.
	Diff bool
	// Set has all objects that are applied; Outcomes has those that
	// Options.Only chooses.
	Set      []Planned
	Outcomes []*Outcome
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
	// By is the program that applies; nil for kubectl.
	By Applier
	// Parts are the plans of the programs, if several apply the set: Outcomes, Prune and
	// Unknown are those of all of them. They are nil if one does.
	Parts []*Plan
	// Warnings are the server's about no object, without "Warning: ".
	Warnings []string
	// Asked are the admission webhooks that the server asks about the outcomes. What
	// they answer is unknown.
	Asked []Asked
	// Notes say, once each, where the real outcome may differ.
	Notes []string
	// Unknown is what the plan does not tell; nil if it is complete.
	Unknown []Unknown

	// Shown tells that the outcomes are what Argo CD shows, not what a sync does.
	Shown bool

	live *manifest.Snapshot
	run  *run
	// extraneous is what an Application tracks and no manifest has.
	extraneous *prune.Result
}

// Undefined lists the kinds that no CustomResourceDefinition of the set, the
// snapshot or --crd defines, so that their objects are merged and no more.
func (p *Plan) Undefined() []string {
	return p.kinds(func(o *Outcome) bool { return o.unknown })
}

// Unserved lists the kinds that the cluster does not serve, as the tables or the
// definitions in the snapshot show, so that their objects are rejected.
func (p *Plan) Unserved() []string {
	return p.kinds(func(o *Outcome) bool { return o.unserved })
}

func (p *Plan) kinds(of func(*Outcome) bool) []string {
	var kinds []string
	for _, o := range p.Outcomes {
		if of(o) {
			kinds = append(kinds, o.Kind.GroupKind())
		}
	}
	return distinct(kinds)
}

// Failed tells that the snapshot has changed while it was used, so that the
// plan means nothing.
func (p *Plan) Failed() error { return p.live.Failed() }

// Planned is one object of the set.
type Planned struct {
	Config *manifest.Object
	// Outcome is found when it is first asked for, unless Options.Only chooses
	// the object. It may be called from several goroutines.
	Outcome func() *Outcome
}

// New rehearses the apply of all config objects in order. An error is a
// refusal of the whole run, in kubectl's words.
func New(opts Options) (*Plan, error) {
	if len(opts.Parts) > 0 {
		return together(opts)
	}
	if opts.Minor == 0 {
		opts.Minor = DefaultMinor
	}
	if opts.Live == nil {
		opts.Live = &manifest.Snapshot{}
	}
	if opts.By != nil {
		opts = opts.By.options(opts)
	}
	opts.sealed = withoutSOPS(opts.Config)
	if err := whole(opts.sealed, opts.Config); err != nil {
		return nil, err
	}
	before := opts.Before.asEarlier(opts)
	opts.Before = nil // which would keep all plans before it
	r := newRun(opts, before.catalog(opts))
	r.validate()
	if opts.By != nil {
		if err := opts.By.refused(r); err != nil {
			return nil, err
		}
	}
	opts.Config.ResolveNamespaces(manifest.Resolve{
		Scope:     r.catalog.scope,
		Resource:  r.catalog.plural,
		Unread:    opts.Diff || opts.ServerSide != nil,
		Namespace: opts.Namespace,
		Enforce:   opts.Enforce,
	})
	before.recall(r)
	plan := &Plan{Minor: opts.Minor, ServerSide: opts.ServerSide != nil, Diff: opts.Diff, By: opts.By, live: opts.Live}
	plan.Problems = append(append(plan.Problems, opts.Config.Problems...), opts.Live.Problems...)
	var objects []*manifest.Object
	for _, o := range opts.Config.Objects {
		if opts.Select == nil || opts.Select(tree.Map(o.Tree, "metadata", "labels")) {
			objects = append(objects, o)
		}
	}
	for _, o := range objects {
		if isSecret(o.Kind) && r.Live.FindEntry(o.ID()) != nil {
			if err := snapshot.Masked(r.Live.Find(o.ID())); err != nil {
				return nil, err
			}
		}
	}
	unknown := r.unseal(objects)
	var redacted []string
	if r, redacted = r.reveal(objects); redacted != nil {
		opts = r.Options
	}
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
		if r.asked(o.Config) {
			plan.Outcomes = append(plan.Outcomes, o.Outcome())
		}
	}
	plan.Asked = r.askedWebhooks(plan.Outcomes)
	plan.Notes = slices.Concat(opts.Notes, unknown, redacted, r.notes(plan))
	if pruning != nil {
		r.preview(pruning, plan)
	}
	if opts.By != nil {
		opts.By.leave(r, plan)
	}
	if opts.Base != nil {
		base := *opts.Base
		base.compare(opts.Config, plan)
		plan.Base, plan.Notes = &base, append(base.notes(plan, opts.Prune != nil), plan.Notes...)
	}
	plan.Unknown = r.unknown(plan)
	return plan, nil
}

// objects rehearses the apply of the objects that are asked for, side by side,
// and leaves the others for later. What comes after a namespace or a class
// depends on it: it and what comes before it go first.
func (r *run) objects(list []*manifest.Object, before *earlier) []Planned {
	set := make([]Planned, len(list))
	r.pods = slices.ContainsFunc(list, func(o *manifest.Object) bool { return o.Kind.GroupKind() == "Pod" })
	r.quotas = quota.Read(r.quotasOf(list))
	last := -1 // of those that others depend on
	for i, o := range list {
		if set[i].Config = o; r.shapes(o) {
			last = i
		}
	}
	before.outcomes(r, set)
	for done := 0; done < len(list); {
		next := set[done:]
		if i := slices.IndexFunc(next, func(o Planned) bool { return r.shapes(o.Config) }); i >= 0 {
			next = next[:i+1]
		}
		var now []int
		for i := range next {
			o := next[i].Config
			if next[i].Outcome != nil {
				continue
			}
			if r.asked(o) || last >= done+i {
				now = append(now, i)
			} else {
				next[i].Outcome = sync.OnceValue(func() *Outcome { return r.object(o) })
			}
		}
		r.Cores.Do(len(now), func(i int) {
			o := &next[now[i]]
			outcome := r.object(o.Config)
			o.Outcome = func() *Outcome { return outcome }
		})
		done += len(next)
		if o := set[done-1]; r.shapes(o.Config) && o.Outcome().Action != Rejected {
			r.make(o.Outcome())
		}
	}
	r.keepQuotas(set)
	return set
}

func (r *run) asked(o *manifest.Object) bool { return r.Only == nil || r.Only(o) }

func isSecret(k schema.Kind) bool { return k.GroupKind() == "Secret" }

// run is the state of one rehearsal.
type run struct {
	Options
	// stored is what an apply before this one has left of one object; nil if there
	// was none.
	stored  *manifest.Object
	catalog *catalog
	server  *server.Server
	// made are the objects, by kind, that earlier manifests make and later ones
	// depend on.
	made map[string][]tree.Object
	// namespaces are those of made, by name.
	namespaces map[string]tree.Object
	pods       bool // the set has Pods
	// quotas are those of the snapshot, charged with the objects of the set
	// before the one in question; forecast is what they say of the Pods.
	quotas   quota.Ledger
	forecast func() map[*Outcome]string
	// originals are the manifests that By compares with.
	originals map[manifest.Identity]*manifest.Object
}

// find is the live object; nil if there is none.
func (r *run) find(id manifest.Identity) *manifest.Object {
	if r.stored != nil && r.stored.ID() == id {
		return r.stored
	}
	return r.Live.Find(id)
}

func newRun(opts Options, catalog *catalog) *run {
	r := &run{Options: opts, catalog: catalog, made: map[string][]tree.Object{}, namespaces: map[string]tree.Object{}}
	r.server = &server.Server{
		Minor:      opts.Minor,
		Strict:     !opts.Diff && !opts.Lenient,
		Definition: r.catalog.definition,
		Cluster: server.Cluster{
			Objects:   r.catalog.objects,
			ObjectsIn: r.catalog.objectsIn,
			Made:      func(groupKind string) []tree.Object { return r.made[groupKind] },
			Namespace: r.namespace,
			Complete:  r.catalog.complete(),
			Assumed:   opts.Base != nil,
			Resource:  r.catalog.plural,
			GivesTokens: func() bool {
				return opts.Live.Remember("a Pod mounts a token", func() bool {
					return slices.ContainsFunc(opts.Live.EntriesOfKind("Pod"), func(e *manifest.Entry) bool { return server.MountsToken(e.Once().Tree) })
				})
			},
			Serves: func(k schema.Kind) (served, namespaced, known bool) {
				served, known = r.catalog.serves(k)
				namespaced, _ = r.catalog.scope(k)
				return served, namespaced, known
			},
		},
		Request: requestOptions(opts),
	}
	if opts.beside != nil {
		r.made, r.namespaces = opts.beside.made, opts.beside.namespaces
	}
	if opts.By != nil {
		opts.By.begin(r)
	}
	return r
}
