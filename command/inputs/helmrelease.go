package inputs

import (
	"context"
	"fmt"

	"threeway/command/request"
	"threeway/command/system"
	"threeway/merge"
	"threeway/merge/applier/flux"
	"threeway/merge/applier/helm"
	byflux "threeway/merge/by/flux"
)

// rehearseHelmRelease makes of what was read the options of Helm as the controller runs it, or of its
// correction of drift.
func rehearseHelmRelease(ctx context.Context, h *request.HelmRelease, r *request.Inputs, std system.Streams, opts *merge.Options) error {
	found, err := helmReleaseKind.find(h.Given, r, opts.Live)
	if err != nil {
		return err
	}
	if h.For, err = flux.ReadHelmRelease(found); err != nil {
		return err
	}
	if err := helm.CheckRelease(h.For.Target + "/" + h.For.Release); err != nil {
		return fmt.Errorf("%s: %w", found.At(), err)
	}
	h.Namespace, h.Name, h.Storage = h.For.Target, h.For.Release, h.For.Storage
	if !h.Corrects {
		return release{&h.Helm}.rehearse(ctx, r, std, opts)
	}
	history := release{&h.Helm}.history(opts)
	last := history.Last()
	if last == nil {
		return fmt.Errorf("the snapshot has no revision of release %s: export the Secrets of namespace %s too", history, history.Namespace)
	}
	revision, err := last.Open(r.Limits.Input)
	if err != nil {
		return err
	}
	opts.Manifests = manifestOf(history, revision, r.Limits)
	opts.By = (&byflux.Correction{For: h.For, Namespace: h.Namespace, Name: h.Name, Revision: revision.Revision}).Arrange(opts.Manifests)
	return nil
}
