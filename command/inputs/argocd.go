package inputs

import (
	"slices"

	"threeway/command/request"
	"threeway/merge"
	"threeway/merge/applier"
	"threeway/merge/applier/argocd"
	byargocd "threeway/merge/by/argocd"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
)

// rehearseApplication finds the Application in what was read.
func rehearseApplication(a *request.ArgoCD, r *request.Inputs, opts *merge.Options) error {
	found, err := argocd.Find(opts.Live, opts.Manifests, a.App)
	if err != nil {
		return err
	}
	app := &byargocd.Application{Application: found, Prune: found.AutoPrune}
	if r.AsApplied {
		lists := applier.ReadLists(opts.Live)
		opts.Manifests, err = asApplied(r, *opts, func(o *manifest.Object) bool { return slices.ContainsFunc(lists.Claims(o), app.Claim().Same) })
		if err != nil {
			return err
		}
	}
	if a.Prune != nil {
		app.Prune = *a.Prune
	}
	serverSide := found.Options.Has("ServerSideApply=true")
	if a.ServerSide != nil {
		serverSide = *a.ServerSide
	}
	if opts.ServerSide = nil; serverSide {
		opts.ServerSide = &rehearsal.ServerSide{Force: true, Manager: argocd.Manager}
	}
	opts.By = app.Arrange(opts.Manifests)
	return nil
}
