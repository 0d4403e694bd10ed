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

// application is the one of --app: a file, or in what was read.
func application(a *request.ArgoCD, r *request.Inputs, opts *merge.Options) (*argocd.Application, error) {
	if !isFile(a.App) {
		return argocd.Find(opts.Live, opts.Manifests, a.App)
	}
	there := slices.Collect(opts.Live.OfKind(argocd.GroupKind))
	o, err := applicationKind.fromFile(a.App, r.Limits, there)
	if err != nil {
		return nil, err
	}
	same := func(x *manifest.Object) bool { return x.ID() == o.ID() }
	opts.Manifests.Objects = slices.DeleteFunc(opts.Manifests.Objects, same)
	return argocd.Read(opts.Live, opts.Manifests, o, !slices.ContainsFunc(there, same))
}

// rehearseApplication finds the Application.
func rehearseApplication(a *request.ArgoCD, r *request.Inputs, opts *merge.Options) error {
	found, err := application(a, r, opts)
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
