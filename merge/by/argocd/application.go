// Package argocd rehearses what a sync of an Application of Argo CD does with one object, what
// it prunes, and what Argo CD shows of it.
package argocd

import (
	"cmp"
	"fmt"
	"slices"

	"threeway/merge/applier"
	"threeway/merge/applier/argocd"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/gap"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Application says that Argo CD applies the manifests, in a sync of an Application.
type Application struct {
	*argocd.Application
	// Prune asks for the objects of the Application that are in no manifest.
	Prune bool
	// Hooks are the objects that Argo CD makes in phases of the sync.
	Hooks []argocd.Hook

	skipped []manifest.Identity
	twice   []string // identities
	waves   map[*manifest.Object]int
}

// Run is what Argo CD calls it.
func (app *Application) Run() string { return "sync" }

// Claim is that of the Application.
func (app *Application) Claim() applier.Claim {
	return applier.Claim{Program: applier.ArgoCD, Kind: applier.Application, Namespace: app.Namespace, Name: app.Application.Name}
}

// Title names the Application and its sync options.
func (app *Application) Title(mode string) string {
	text := fmt.Sprintf("Argo CD sync of Application %s, %s", app, mode)
	for _, option := range []string{"Replace=true", respectIgnored, outOfSyncOnly} {
		if app.Options.Has(option) {
			text += ", " + option
		}
	}
	if app.Prune {
		text += ", pruning"
	}
	return text
}

// Arrange takes hooks and skipped objects out of a set, and of objects that are there
// twice all but the last, and puts the rest into the order of the sync
// (controller/state.go NormalizeTargetObjects).
func (app *Application) Arrange(set *manifest.Set) rehearsal.Applier {
	arranged := *app
	if app.InManifests {
		own := manifest.Identity{Group: "argoproj.io", Kind: "Application", Namespace: app.Namespace, Name: app.Application.Name}
		set.Objects = slices.DeleteFunc(set.Objects, func(o *manifest.Object) bool { return o.ID() == own })
	}
	rest, hooks, skipped := argocd.Part(set.Objects)
	arranged.Hooks, arranged.skipped, arranged.twice, arranged.waves = hooks, nil, nil, map[*manifest.Object]int{}
	for _, o := range skipped {
		id := o.ID()
		id.Namespace = cmp.Or(id.Namespace, app.Destination)
		arranged.skipped = append(arranged.skipped, id)
	}
	last := map[manifest.Identity]*manifest.Object{}
	for _, o := range rest {
		id := o.ID()
		id.Namespace = cmp.Or(id.Namespace, app.Destination)
		if last[id] != nil && o.Name != "" {
			arranged.twice = append(arranged.twice, o.ID().String())
		}
		last[id] = o
	}
	rest = slices.DeleteFunc(rest, func(o *manifest.Object) bool {
		id := o.ID()
		id.Namespace = cmp.Or(id.Namespace, app.Destination)
		return o.Name != "" && last[id] != o
	})
	set.Objects = set.Objects[:0]
	for _, step := range argocd.Steps(rest, app.Destination) {
		set.Objects = append(set.Objects, step.Object)
		arranged.waves[step.Object] = step.Wave
	}
	return &arranged
}

// Adapt gives the options as Argo CD goes by them: it is never kubectl diff, and does not tell
// the server to reject unknown fields.
func (app *Application) Adapt(opts rehearsal.Options) rehearsal.Options {
	opts.Diff, opts.Enforce, opts.Namespace, opts.Manager, opts.FieldValidation = false, false, app.Destination, argocd.Manager, rehearsal.Warn
	opts.DefinesFirst = true
	opts.ReadsLiveFirst = func(o *rehearsal.Outcome) bool { return !app.replaces(o) } // in the dry run, which is client-side
	if opts.ServerSide != nil {
		opts.ServerSide = appliedByArgo()
	}
	app.createNamespace(opts)
	own := ""
	if !app.Elsewhere {
		own, _ = applier.Controller(opts.Live, argocd.UserAgent)
	}
	opts.ActAs(own, app.User)
	return opts
}

// appliedByArgo is the server-side apply of Argo CD: it takes over all fields, and
// kubectl's migration follows.
func appliedByArgo() *rehearsal.ServerSide {
	return &rehearsal.ServerSide{Force: true, Manager: argocd.Manager, Migrate: true}
}

// createNamespace adds the destination to the set if Argo CD creates it or manages its
// metadata (gitops-engine/pkg/sync/sync_context.go autoCreateNamespace,
// controller/sync_namespace.go).
func (app *Application) createNamespace(opts rehearsal.Options) {
	id := manifest.Identity{Kind: "Namespace", Name: app.Destination}
	if !app.Options.Has("CreateNamespace=true") || app.Destination == "" ||
		slices.ContainsFunc(opts.Manifests.Objects, func(o *manifest.Object) bool { return o.ID() == id }) {
		return
	}
	isLive := opts.Live.FindEntry(id) != nil
	known := isLive || opts.EmptyCluster || opts.Live.Covers("", "Namespace")
	if app.ManagedNamespace == nil && (isLive || !known) {
		return
	}
	metadata := tree.Object{"name": app.Destination}
	if app.ManagedNamespace != nil {
		if labels := tree.Map(app.ManagedNamespace, "labels"); len(labels) > 0 {
			metadata["labels"] = tree.CopyObject(labels)
		}
		annotations := tree.CopyObject(tree.Map(app.ManagedNamespace, "annotations"))
		if annotations == nil {
			annotations = tree.Object{}
		}
		annotations["argocd.argoproj.io/sync-options"] = "ServerSideApply=true"
		metadata["annotations"] = annotations
	}
	text, err := rehearsal.EncodeLastApplied(tree.Object{"apiVersion": "v1", "kind": "Namespace", "metadata": metadata, "spec": tree.Object{}, "status": tree.Object{}})
	if err != nil {
		return
	}
	made := manifest.ReadFiles([]manifest.File{{Name: app.namespaceFile(), Data: []byte(text)}}, manifest.Limits{})
	opts.Manifests.Objects = append(made.Objects, opts.Manifests.Objects...)
}

// namespaceFile is where the manifest of a Namespace that Argo CD creates is from.
func (app *Application) namespaceFile() string { return "Application " + app.String() }

// Begin finds Argo CD's refusal of the whole sync (controller/state.go CompareAppState,
// InvalidSpecError).
func (app *Application) Begin(r *rehearsal.Run) error {
	if app.Refusal != "" {
		return fmt.Errorf("%s; the sync of Application %s fails before it applies anything: give its AppProject a matching entry in spec.destinationServiceAccounts", app.Refusal, app)
	}
	if app.Destination != "" {
		return nil
	}
	for _, o := range r.Manifests.Objects {
		if namespaced, known := r.Catalog.Scope(o.Kind); known && namespaced && o.Namespace == "" {
			return fmt.Errorf("%s %s has no namespace, and Application %s has no spec.destination.namespace: Argo CD rejects the whole sync; set one of the two", o.Kind, o.Name, app)
		}
	}
	return nil
}

// Next is the same: what Argo CD has applied is in the cluster.
func (app *Application) Next(*manifest.Set) rehearsal.Applier { return app }

// Unserved is the answer of the server, which Argo CD asks before it does anything.
func (app *Application) Unserved(o *rehearsal.Outcome) *fault.Rejection {
	text := fault.Words("the server could not find the requested resource")
	return fault.Refuse(text, fault.Fault{Code: fault.UnknownKind, Path: fieldpath.New("kind")}).Bare(nil)
}

// Words is the server's answer without what kubectl puts before it
// (gitops-engine/pkg/utils/kube/kube.go cleanKubectlOutput).
func (app *Application) Words(r *rehearsal.Run, o *rehearsal.Outcome, no *fault.Rejection, verb string) *fault.Rejection {
	if verb == "retrieving" && r.ServerSide == nil && o.Kind.Group == "rbac.authorization.k8s.io" {
		return no.Bare(reconciling)
	}
	return no.Bare(nil)
}

// After finds what Argo CD prunes.
func (app *Application) After(r *rehearsal.Run, done rehearsal.Results) rehearsal.Aftermath {
	fails, invalid := app.failing(done), app.unknown(done) > 0 || unread(done) > 0
	after := rehearsal.Aftermath{Notes: app.notes(done), Gaps: app.gaps(done)}
	tracked := prune.Tracked{
		By: app.Tracking, Of: "Application " + app.String(), Kept: done.Applied(), Listed: app.Resources,
		Default: app.Options.Value("Prune"), Last: app.Options.Has("PruneLast=true"), Confirmed: app.Confirmed, Fails: fails,
	}
	for _, id := range app.skipped {
		tracked.Kept[id] = true
	}
	for _, o := range done.Set {
		tracked.LastWave = max(tracked.LastWave, app.waves[o.Manifest])
	}
	result := prune.ByTracking(r.Live, tracked)
	after.Extraneous = result
	whole := invalid || app.Prune && result.Waits
	done.Stop(func(o *rehearsal.Outcome) bool { return whole || fails != nil && app.waves[o.Manifest] > *fails })
	if app.Prune && !invalid {
		after.Prune = result
		after.Gaps = append(append(after.Gaps, r.Uncovered(result, "Argo CD", tracked.Of)...), app.spare(r, done, result)...)
	} else if note := app.leftBehind(result); note != "" {
		after.Last = []string{note}
	}
	return after
}

// spare keeps what the user may not delete. The sync fails with the first of that, before it
// applies what is in the same wave.
func (app *Application) spare(r *rehearsal.Run, done rehearsal.Results, result *prune.Result) []gap.Gap {
	wave := 0
	unknown := r.Spare(result, []string{"delete"}, func(c prune.Candidate, _, why string) {
		if result.Failed == "" {
			result.Failed, wave = why, c.Wave
		}
	})
	if result.Failed == "" {
		return unknown
	}
	for _, o := range done.Outcomes {
		o.Stopped = o.Stopped || app.waves[o.Manifest] >= wave && (o.Action == rehearsal.Created || o.Action == rehearsal.Configured)
	}
	for i := range result.Candidates {
		if c := &result.Candidates[i]; c.Fate == prune.Pruned && c.Wave > wave {
			c.Fate, c.Why, c.Takes = prune.Stays, "the sync fails before", nil
		}
	}
	return unknown
}
