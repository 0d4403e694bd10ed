package request

import (
	"fmt"

	"github.com/urfave/cli/v2"
)

const categoryFlux = "FLAGS OF FLUX"

// Flux says as which Kustomization Flux applies.
type Flux struct {
	// Kustomization is [NAMESPACE/]NAME, or a file; "" for the only one of the snapshot.
	Kustomization string
	// Override are the managers of --override-manager.
	Override []string
}

// FluxFlags say as which Kustomization or HelmRelease Flux applies the manifests.
func FluxFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "kustomization", Category: categoryFlux, Usage: "with --applier flux: the Kustomization `[NAMESPACE/]NAME` of the snapshot, or the file of a new or changed one", DefaultText: "the only one of the snapshot"},
		&cli.StringSliceFlag{Name: "override-manager", Category: categoryFlux, Usage: "also take over the fields of manager `NAME`, as with this flag of kustomize-controller; repeatable"},
		&cli.StringFlag{Name: "helmrelease", Category: categoryFlux, Usage: "with --applier flux: rehearse helm-controller with the HelmRelease `[NAMESPACE/]NAME` of the snapshot, or the file of a new or changed one; the manifests are what its chart renders"},
		&cli.BoolFlag{Name: "drift-detection", Category: categoryFlux, Usage: "with --helmrelease: rehearse the correction of what has drifted from the last revision; needs no manifests"},
	}
}

// flux reads what the flags and the settings say of Flux.
func (v *Resolver) flux(m *Manifests, k *Cluster) (OtherApplier, error) {
	if name := v.text("helmrelease", "apply.flux.helmrelease", v.file.Flux.HelmRelease); name != "" {
		return v.helmRelease(name, m, k)
	}
	for _, flag := range append(flagNames(ChartFlags()), "drift-detection") {
		if v.IsSet(flag) {
			return nil, fmt.Errorf("--%s only works with --helmrelease; a Kustomization applies what is built from -f or -k", flag)
		}
	}
	if err := v.kubectlsOwn(ApplierFlux, "namespace", "server-side", "force-conflicts", "prune", "last-applied"); err != nil {
		return nil, err
	}
	return &Flux{
		Kustomization: v.text("kustomization", "apply.flux.kustomization", v.file.Flux.Kustomization),
		Override:      v.StringSlice("override-manager"),
	}, nil
}

func (f *Flux) brings() bool { return false }

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
	if err := v.kubectlsOwn(ApplierFlux, "namespace", "server-side", "force-conflicts", "prune"); err != nil {
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
