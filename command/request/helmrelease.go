package request

import (
	"fmt"
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
func (v *Resolver) helmRelease(name string, m *Manifests, k *Cluster) (OtherApplier, error) {
	if err := v.kubectlsOwn(ApplierFlux, "namespace", "server-side", "force-conflicts", "prune", "all", "prune-allowlist"); err != nil {
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
