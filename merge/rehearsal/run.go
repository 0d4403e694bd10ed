// Package rehearsal says what would happen to one object: it pairs the manifest with the live
// object, has the applier make its requests, and lets the simulated API server answer
// them. What only a set tells is in package merge.
package rehearsal

import (
	"cmp"
	"strings"
	"sync"

	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/parallel"
	"threeway/merge/redact"
	"threeway/merge/tree"
)

// DefaultMinor is the Kubernetes minor that is simulated if neither the user nor the
// snapshot names one. OldestMinor and RecordedMinor are the ends of what was held to servers;
// NewestMinor is known from the sources of its beta.
const (
	OldestMinor   = 30
	DefaultMinor  = 37
	RecordedMinor = 37
	NewestMinor   = 38
)

// Options are what the outcome of one object depends on, besides the object.
type Options struct {
	// Cores is how many objects are worked on at a time.
	Cores parallel.Cores
	// Progress counts the objects; nil counts nothing.
	Progress *parallel.Progress
	// Minor is the Kubernetes minor to simulate; 0 is DefaultMinor.
	Minor int
	// Namespace is the one of objects that name none, "default" if empty.
	// Enforce says that it was given: other namespaces are an error.
	Namespace string
	Enforce   bool

	Inputs
	Applying
	Client
}

// Inputs are the objects that an outcome depends on.
type Inputs struct {
	// Manifests are the set that the object is of: they define kinds.
	Manifests *manifest.Set
	Live      *manifest.Snapshot
	// Schemas are those of custom kinds of which no definition is known; nil has none.
	Schemas *manifest.Schemas
	// EmptyCluster says that nothing is live of any kind, so that an empty
	// snapshot, or none, tells all.
	EmptyCluster bool
	// Assumed says that manifests stand in for Live.
	Assumed bool
	// LastApplied holds manifests that stand in for the last-applied annotation
	// of the live objects of the same identity, for snapshots without it.
	LastApplied map[manifest.Identity]tree.Object
	// Definitions are CustomResourceDefinitions from files of their own.
	Definitions []*manifest.Object
	// Redaction is the key that values of the snapshot were redacted with; nil
	// if it is not known.
	Redaction *redact.Key
	// Sibling is the run of another part of the set, whose namespaces and classes are
	// there; nil if there is none.
	Sibling *Run
	// Mutated are the changes by policies in the apply before, which may be secret.
	Mutated map[manifest.Identity][]kube.Mutation
}

// Applying is how a person has the manifests applied.
type Applying struct {
	// Diff rehearses kubectl diff instead of kubectl apply: last-applied is
	// not written, unknown fields are warnings, resourceVersion is ignored.
	Diff bool
	// DryRun rehearses requests that store nothing: a definition that they change is not
	// in force for the objects after it.
	DryRun bool
	// Literal sends placeholders as they are, as kubectl does; otherwise what the server says of
	// their values is unknown.
	Literal bool
	// FieldValidation is what an apply does with unknown fields; a diff drops them.
	FieldValidation FieldValidation
	// ServerSide asks for a server-side apply; nil for a client-side one.
	ServerSide *ServerSide
	// Manager is who applies client-side (--field-manager),
	// kubectl-client-side-apply if empty.
	Manager string
	// User is who applies, as far as admission policies and RBAC ask; nil if that is
	// not known.
	User *User
	// KeepConflicts is kubectl's --overwrite=false.
	KeepConflicts bool
}

// Client is the program that applies, and what it does in its own way.
type Client struct {
	// By is the program that applies the manifests.
	By Applier
	// Impersonator is the controller that acts as User; nil if that is not known.
	Impersonator *User
	// ListsKind is the kind that it lists first, in the namespace ListsNamespace; none if it lists none.
	ListsKind      schema.Kind
	ListsNamespace string
	// ReadsLiveFirst tells of which objects the applier gets the live one before it applies them; nil if
	// it does client-side, and not server-side.
	ReadsLiveFirst func(*Outcome) bool
	// DefinesFirst says that a definition of the set is served before objects of its
	// kind are applied.
	DefinesFirst bool
}

// FieldValidation is a mode of kubectl's --validate; "" is Strict.
type FieldValidation string

// The modes.
const (
	// Strict rejects an object with an unknown field.
	Strict FieldValidation = "strict"
	// Warn drops the field with a warning.
	Warn FieldValidation = "warn"
	// Ignore drops it without one.
	Ignore FieldValidation = "ignore"
)

func (v FieldValidation) is(mode FieldValidation) bool { return cmp.Or(v, Strict) == mode }

// User is who applies, as kubectl's --as, --as-uid and --as-group name them.
type User struct {
	Name, UID string
	Groups    []string
}

// ServerSide asks for a server-side apply (kubectl's --server-side).
type ServerSide struct {
	// Force takes over fields that others own (--force-conflicts).
	Force bool
	// Manager is who applies (--field-manager); the server rejects an empty name.
	Manager string
	// Migrate shows what a real apply leaves of objects that were applied
	// client-side before, which goes further than every dry run.
	Migrate bool
}

// DefaultManager is who kubectl applies server-side as.
const DefaultManager = "kubectl"

// Run applies single objects to a snapshot, in any order: what plans, and workflows of
// several steps, are made of.
type Run struct {
	Options
	Catalog *Catalog
	Server  *kube.Server
	// Refusal is why the applier refuses the whole run.
	Refusal error
	// Originals are the manifests that By compares with.
	Originals map[manifest.Identity]*manifest.Object
	// Pods says that the set has Pods.
	Pods bool

	// stored is what an apply or a command before this one has left of one object, without
	// a tree if it is deleted; nil if there was none.
	stored *manifest.Object
	// made are the objects, by kind, that earlier manifests make and later ones
	// depend on.
	made map[string][]tree.Object
	// namespaces are those of made, by name.
	namespaces map[string]tree.Object
	// redefined are the definitions that earlier manifests change, by the kind that
	// they define; custom are the kinds of the set that definitions may define.
	redefined map[string]*definition
	custom    map[string]bool
	// rivals are the Services of the set that ask for what others of it ask for or hold.
	rivals map[[2]string]bool
	// quotas are those of the snapshot, charged with the objects of the set
	// before the one in question; forecast is what they say of the Pods.
	quotas   kube.Ledger
	forecast func() map[*Outcome]Refusal
	// uncounted are the ResourceQuotas of the set by namespace.
	uncounted map[string][]Planned
}

// New is a rehearsal with the options, of which Minor, Manifests, Live and By must be set;
// the catalog is that of these manifests, Live and Definitions. The manifests are read and
// not changed; Live is decoded when an object of it is asked for, so it must stay as it is
// until the last outcome. It does not fail: why the applier refuses the whole run is in
// Refusal, which the caller looks at before it applies.
func New(opts Options, catalog *Catalog) *Run {
	r := &Run{Options: opts, Catalog: catalog, made: map[string][]tree.Object{}, namespaces: map[string]tree.Object{}, redefined: map[string]*definition{}}
	r.Server = &kube.Server{
		Minor:      opts.Minor,
		Strict:     !opts.Diff && opts.FieldValidation.is(Strict),
		Literal:    opts.Literal,
		Definition: r.definition,
		World:      around{r, sync.OnceValue(r.ownServices)},
		Request:    requestOptions(opts),
	}
	if !opts.Assumed && (opts.EmptyCluster || len(opts.Live.Entries) > 0) {
		r.Server.Roles = r.Server.ReadRoles(func(groupKind string) bool {
			kind, group, _ := strings.Cut(groupKind, ".")
			return catalog.Complete() || opts.EmptyCluster || opts.Live.Covers(group, kind)
		})
	}
	if opts.Sibling != nil {
		r.Server.Roles = opts.Sibling.Server.Roles
		r.made, r.namespaces, r.redefined = opts.Sibling.made, opts.Sibling.namespaces, opts.Sibling.redefined
	}
	if r.Refusal = r.impersonates(); r.Refusal == nil {
		r.Refusal = opts.By.Begin(r)
	}
	return r
}

// requestOptions are those of the requests that kubectl sends.
func requestOptions(opts Options) kube.RequestOptions {
	o := kube.RequestOptions{DryRun: opts.Diff, Manager: cmp.Or(opts.Manager, owners.ClientSideApply)}
	if u := opts.User; u != nil {
		o.User = kube.Impersonate(u.Name, u.UID, u.Groups)
	}
	if by := opts.Impersonator; by != nil {
		o.By = kube.Impersonate(by.Name, "", nil)
	}
	if opts.ServerSide != nil {
		o.Manager = cmp.Or(opts.ServerSide.Manager, DefaultManager)
	}
	switch {
	case opts.Diff:
	case opts.FieldValidation.is(Strict):
		o.Validation = "Strict"
	case opts.FieldValidation.is(Warn):
		o.Validation = "Warn"
	default:
		o.Validation = "Ignore"
	}
	return o
}

// Find is the live object; nil if there is none.
func (r *Run) Find(id manifest.Identity) *manifest.Object {
	if r.stored != nil && r.stored.ID() == id {
		if r.stored.Tree == nil {
			return nil
		}
		return r.stored
	}
	return r.Live.Find(id)
}
