package argocd

import (
	"cmp"

	"threeway/merge/applier/argocd"
	"threeway/merge/by/argocd/compare"
	"threeway/merge/by/kubectl"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// The sync options of an Application that change what is applied.
const (
	respectIgnored = "RespectIgnoreDifferences=true"
	outOfSyncOnly  = "ApplyOutOfSyncOnly=true"
)

// Outcome is what Argo CD alone knows of an outcome.
type Outcome struct {
	comparison *compare.Comparison // by which Argo CD shows the object
	reconciled bool                // by kubectl auth reconcile, before the apply
	marked     tree.Object         // the target, without what Argo CD takes over from the live object
}

// of is what is known of an outcome; nothing if it is rejected before.
func of(o *rehearsal.Outcome) *Outcome {
	if argo, is := o.Applied.(*Outcome); is {
		return argo
	}
	return &Outcome{}
}

// Apply rehearses what Argo CD does with one object: it replaces it, applies it
// server-side, or applies it as kubectl does, as the options of the Application and of
// the object say (gitops-engine/pkg/sync/sync_context.go applyObject).
func (app *Application) Apply(r *rehearsal.Run, o *rehearsal.Outcome) {
	if kubectl.SmallLetters(r, o) {
		return
	}
	if o.Live != nil {
		o.Before = r.InVersion(o.Live, o.Kind)
	}
	argo := &Outcome{comparison: app.comparison(r)}
	o.Applied = argo
	app.setTarget(o, argo)
	own, live := argocd.OptionsOf(o.Marked), argocd.OptionsOf(o.Before)
	switch {
	case app.replaces(o):
		app.replace(r, o, forced(own, live))
	case app.serverSide(r, own):
		app.applyServerSide(r, o, forced(own, live))
	default:
		app.applyClientSide(r, o, forced(own, live))
	}
	if app.Options.Has(outOfSyncOnly) && app.inSync(o) {
		o.Action, o.Result, o.Rejection, o.Patch, o.Owned, o.TakenOver = rehearsal.Unchanged, o.Before, nil, nil, nil, nil
	}
}

// replaces reports whether an object is replaced, which needs no right to get it.
func (app *Application) replaces(o *rehearsal.Outcome) bool {
	return app.Options.Has("Replace=true") || argocd.OptionsOf(o.Manifest.Tree).Has("Replace=true") || o.Live != nil && argocd.OptionsOf(o.Live.Tree).Has("Replace=true")
}

func forced(own, live argocd.Options) bool { return own.Has("Force=true") || live.Has("Force=true") }

func (app *Application) serverSide(r *rehearsal.Run, own argocd.Options) bool {
	return !own.Has("ServerSideApply=false") && (r.ServerSide != nil || own.Has("ServerSideApply=true"))
}

// setTarget makes the target of the manifest: with the marks of the Application and, if
// ignored fields are respected, with the live values of those.
func (app *Application) setTarget(o *rehearsal.Outcome, argo *Outcome) {
	o.Marked = o.Manifest.Tree
	if o.Manifest.Origin.File != app.namespaceFile() {
		labels, annotations := app.Tracking.Marks(o.Kind, cmp.Or(o.Manifest.Namespace, app.Destination), o.Manifest.Name)
		o.Marked = rehearsal.WithMarks(o.Manifest.Tree, labels, annotations)
	}
	argo.marked = o.Marked
	if app.Options.Has(respectIgnored) && o.Live != nil {
		o.Marked = app.respecting(o, argo)
	}
}

// respecting is the target with the live values of the fields that are ignored
// (controller/sync.go normalizeTargetResources).
func (app *Application) respecting(o *rehearsal.Outcome, argo *Outcome) tree.Object {
	rest := argo.comparison.Without(compare.Objects{ID: o.Identity(), Kind: o.Kind, Target: o.Marked, Live: o.Before})
	target, live := rest.Target, rest.Live
	whole := tree.CopyObject(o.Before)
	delete(whole, "status")
	stripped := tree.CopyObject(live)
	delete(stripped, "status")
	t, patch := schema.Lookup(o.Kind), kube.JSONDifference(stripped, whole)
	if t != nil {
		var err error
		if patch, err = kube.Patch(whole, whole, stripped, t, true); err != nil {
			return o.Marked
		}
	}
	patched, err := kube.ApplyPatch(target, patch, t)
	if err != nil {
		return o.Marked
	}
	restore(patched, o.Marked, target, live)
	return patched
}

// restore gives a target the fields back that are not ignored (controller/sync.go
// restoreNonIgnoredFields).
func restore(patched, original, target, live tree.Object) {
	for key, was := range original {
		now, isPatched := patched[key]
		left, isLeft := target[key]
		patchedMap, a := now.(tree.Object)
		originalMap, b := was.(tree.Object)
		targetMap, c := left.(tree.Object)
		switch {
		case isPatched && a && b && c:
			restore(patchedMap, originalMap, targetMap, tree.Map(live, key))
		case isLeft && tree.Equal(left, was) && (!isPatched || !tree.Equal(now, was)):
			patched[key] = was
		}
	}
	for key := range patched {
		_, wanted := original[key]
		if _, is := live[key]; is && !wanted {
			delete(patched, key)
		}
	}
}

// applyClientSide is kubectl's own apply. Objects of RBAC go through kubectl auth
// reconcile first. With force, kubectl deletes and creates what the server would not
// change (kubectl pkg/cmd/apply/patcher.go deleteAndCreate).
func (app *Application) applyClientSide(r *rehearsal.Run, o *rehearsal.Outcome, force bool) {
	alone := *r
	alone.ServerSide = nil
	with := kubectl.Requests{Run: &alone}
	switch before := o.Before; {
	case o.Kind.Group == "rbac.authorization.k8s.io" && o.Kind.Version == "v1":
		applyReconciled(with, o)
	case before == nil:
		with.Create(o)
	default:
		with.UpdateFrom(o)
	}
	if no := o.Rejection; force && no != nil && o.Before != nil && (no.Reason == "Invalid" || no.Reason == "Conflict") {
		if body, err := rehearsal.Annotated(o.Marked, r.Minor); err == nil {
			recreate(&alone, o, body)
			putBack(o)
		}
	}
}

// recreate deletes the live object and creates another, if it sees that the old one is gone.
func recreate(r *rehearsal.Run, o *rehearsal.Outcome, body tree.Object) {
	o.Rejection, o.Warnings = nil, nil
	o.Action, o.Patch, o.PatchType = rehearsal.Configured, body, rehearsal.Create
	for _, verb := range []string{"delete", "get"} {
		if _, no := r.Server.Authorize(o.Kind, verb, o.Manifest.Namespace, o.Manifest.Name); no != nil {
			o.Refuse(r.By.Words(r, o, no, "replacing"))
			return
		}
		o.Recreated = true
	}
	r.Answer(o, r.Server.Create(o.Kind, body), "creating")
}

// putBack creates the old object again if the server does not accept the new one, for which
// the user needs the same right (kubectl pkg/cmd/apply/patcher.go deleteAndCreate).
func putBack(o *rehearsal.Outcome) {
	no := o.Rejection
	if no == nil || !o.Recreated {
		return
	}
	if o.Recreated = no.Has(fault.NoRight, fault.NotAs); o.Recreated {
		o.Rejection = no.Bare(func(message fault.Text) fault.Text {
			return fault.Join(fault.Words("An error occurred force-replacing the existing object with the newly provided one:\n\n"), message,
				fault.Words(".\n\nAdditionally, an error occurred attempting to restore the original object:\n\n"), message)
		})
	}
}

// replace is kubectl replace, or create. It names no manager. A definition and a
// Namespace are updated in place even with force (sync_context.go applyObject).
func (app *Application) replace(r *rehearsal.Run, o *rehearsal.Outcome, force bool) {
	with := *r
	with.ServerSide, with.Manager = nil, argocd.UserAgent
	body := tree.CopyObject(o.Marked)
	switch group := o.Kind.GroupKind(); {
	case o.Before == nil:
		o.Action, o.Patch, o.PatchType = rehearsal.Created, body, rehearsal.Create
		with.Answer(o, r.Server.Create(o.Kind, body), "creating")
	case force && group != "Namespace" && group != rehearsal.DefinitionKind:
		recreate(&with, o, body)
	default:
		with.Put(o, body)
	}
}

// applyServerSide takes over what another manager has applied client-side, and applies
// with force (performCSAUpgradeMigration).
func (app *Application) applyServerSide(r *rehearsal.Run, o *rehearsal.Outcome, force bool) {
	with := *r
	with.ServerSide = appliedByArgo()
	if o.Live != nil && app.Migrates != "" {
		if taken, ok := r.Server.UpgradeFrom(o.Kind, o.Before, []string{app.Migrates}, argocd.Manager, r.Live.NewestWrite); ok {
			o.TakenOver = taken
		}
	}
	if force {
		text := fault.Words("error validating options: --force cannot be used with --server-side")
		o.Applier, o.PatchType = argocd.Manager, rehearsal.Apply
		o.Refuse(fault.Refuse(text, fault.Fault{Code: fault.Invalid, Detail: text}).Bare(nil))
		return
	}
	kubectl.Requests{Run: &with}.ApplyServerSide(o)
	if o.Rejection != nil {
		o.Rejection = o.Rejection.Bare(nil)
	}
}

// Hides reports whether ignoreDifferences keeps a field of an object out of the
// comparison, so that Argo CD does not show its change.
func (app *Application) Hides(o *rehearsal.Outcome, p fieldpath.Path) bool {
	if len(app.Ignored) == 0 {
		return false
	}
	left := rehearsal.Remember(o, func() compare.Objects {
		return of(o).comparison.Without(compare.Objects{ID: o.Identity(), Kind: o.Kind, Target: o.Result, Live: o.Before})
	})
	shown := func(whole, left tree.Object) bool {
		_, is := p.Find(whole)
		_, stays := p.Find(left)
		return is && stays
	}
	return !shown(o.Result, left.Target) && !shown(o.Before, left.Live)
}
