package command

import (
	"context"
	"fmt"

	"threeway/merge"
	"threeway/merge/applier/flux"
	"threeway/merge/applier/helm"
	byflux "threeway/merge/by/flux"
)

// HelmRelease says as which HelmRelease Flux's helm-controller runs Helm.
type HelmRelease struct {
	Helm
	// Given is [NAMESPACE/]NAME, or a file.
	Given string
	// Corrects is --drift-detection.
	Corrects bool
}

// helmRelease reads what the flags and the settings say of a HelmRelease.
func (v *resolver) helmRelease(name string, m *Manifests, k *Cluster) (otherApplier, error) {
	if err := v.kubectlsOwn(applierFlux, "namespace", "server-side", "force-conflicts", "prune", "all", "prune-allowlist", "prune-root"); err != nil {
		return nil, err
	}
	h := &HelmRelease{Helm: Helm{Major: 4, Force: true}, Given: name, Corrects: v.Bool("drift-detection")}
	switch {
	case v.IsSet("kustomization"), v.IsSet("override-manager"):
		return nil, fmt.Errorf("--kustomization and --override-manager are for kustomize-controller, and --helmrelease for helm-controller; remove one of them")
	case h.Corrects && (v.IsSet("chart") || v.IsSet("rollback")):
		return nil, fmt.Errorf("--drift-detection takes the manifests from the last revision, and --chart and --rollback name others; remove one of them")
	case h.Corrects && len(k.Live) == 0:
		return nil, fmt.Errorf("--drift-detection needs a snapshot with the release: pass --live")
	case h.Corrects:
		return h, v.bring(m, "--drift-detection")
	}
	return h, v.chart(&h.Helm, m, k)
}

func (h *HelmRelease) brings() bool { return h.Corrects || h.Helm.brings() }

// rehearseHelmRelease makes of what was read the options of Helm as the controller runs it, or of its
// correction of drift.
func rehearseHelmRelease(ctx context.Context, h *HelmRelease, r *Request, std streams, opts *merge.Options) error {
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
	opts.Config = manifestOf(history, revision, r.Limits)
	opts.By = (&byflux.Correction{For: h.For, Namespace: h.Namespace, Name: h.Name, Revision: revision.Revision}).Arrange(opts.Config)
	return nil
}
