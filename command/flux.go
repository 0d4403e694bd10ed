package command

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/merge"
	"threeway/merge/applier/flux"
	byflux "threeway/merge/by/flux"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/shell"
)

const categoryFlux = "FLAGS OF FLUX"

// Flux says as which Kustomization Flux applies.
type Flux struct {
	// Kustomization is [NAMESPACE/]NAME, or a file; "" for the only one of the snapshot.
	Kustomization string
	// Override are the managers of --override-manager.
	Override []string
}

func fluxFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "kustomization", Category: categoryFlux, Usage: "with --applier flux: the Kustomization `[NAMESPACE/]NAME` of the snapshot, or the file of a new or changed one", DefaultText: "the only one of the snapshot"},
		&cli.StringSliceFlag{Name: "override-manager", Category: categoryFlux, Usage: "also take over the fields of manager `NAME`, as with this flag of kustomize-controller; repeatable"},
		&cli.StringFlag{Name: "helmrelease", Category: categoryFlux, Usage: "with --applier flux: rehearse helm-controller with the HelmRelease `[NAMESPACE/]NAME` of the snapshot, or the file of a new or changed one; the manifests are what its chart renders"},
		&cli.BoolFlag{Name: "drift-detection", Category: categoryFlux, Usage: "with --helmrelease: rehearse the correction of what has drifted from the last revision; needs no manifests"},
	}
}

// flux reads what the flags and the settings say of Flux.
func (v *resolver) flux(m *Manifests, k *Cluster) (otherApplier, error) {
	if name := v.text("helmrelease", "apply.flux.helmrelease", v.file.Flux.HelmRelease); name != "" {
		return v.helmRelease(name, m, k)
	}
	for _, flag := range append(flagNames(chartFlags()), "drift-detection") {
		if v.IsSet(flag) {
			return nil, fmt.Errorf("--%s only works with --helmrelease; a Kustomization applies what is built from -f or -k", flag)
		}
	}
	if err := v.kubectlsOwn(applierFlux, "namespace", "server-side", "force-conflicts", "prune", "all", "prune-allowlist", "prune-root", "last-applied"); err != nil {
		return nil, err
	}
	return &Flux{
		Kustomization: v.text("kustomization", "apply.flux.kustomization", v.file.Flux.Kustomization),
		Override:      v.StringSlice("override-manager"),
	}, nil
}

func (f *Flux) brings() bool { return false }

// rehearseKustomization makes of what was read the options of Flux: how it applies is in the
// Kustomization, and its inventory in the snapshot.
func rehearseKustomization(f *Flux, r *Request, opts *merge.Options) error {
	found, err := kustomizationKind.find(f.Kustomization, r, opts.Live)
	if err != nil {
		return err
	}
	k, err := flux.Read(found)
	if err != nil {
		return err
	}
	if r.AsApplied {
		opts.Config = &manifest.Set{}
	}
	opts.ServerSide = &rehearsal.ServerSide{Force: true, Manager: byflux.FluxManager}
	opts.By = (&byflux.Kustomization{Kustomization: *k, Override: f.Override}).Arrange(opts.Config)
	return nil
}

// fluxKind is a kind that tells Flux how to apply, as the flags and the commands call it.
type fluxKind struct{ groupKind, name, resources, flag string }

var (
	kustomizationKind = fluxKind{flux.GroupKind, "Kustomization", "kustomizations." + flux.Group, "kustomization"}
	helmReleaseKind   = fluxKind{flux.HelmGroupKind, "HelmRelease", "helmreleases." + flux.HelmGroup, "helmrelease"}
)

// find is the object of the kind, given as [NAMESPACE/]NAME, as a file, or, if the snapshot
// has only one, not at all. It has the status that the snapshot has of it.
func (k fluxKind) find(given string, r *Request, live *manifest.Snapshot) (*manifest.Object, error) {
	var there []*manifest.Object
	var names []string
	for o := range live.OfKind(k.groupKind) {
		there, names = append(there, o), append(names, o.Namespace+"/"+o.Name)
	}
	if info, err := os.Stat(given); err == nil && !info.IsDir() {
		return k.fromFile(given, r.Limits, there)
	}
	if given == "" && len(there) == 1 {
		return there[0], nil
	}
	namespace, name, isGiven := strings.Cut(given, "/")
	if !isGiven {
		namespace, name = "", given
	}
	var fit []*manifest.Object
	for _, o := range there {
		if o.Name == name && (namespace == "" || o.Namespace == namespace) {
			fit = append(fit, o)
		}
	}
	slices.Sort(names)
	export := fmt.Sprintf("export them too: %s; or pass the file of the %s with --%s FILE", shell.Line("kubectl get", shell.Operand(k.resources), shell.Option("-A -o yaml")), k.name, k.flag)
	switch {
	case len(fit) == 1:
		return fit[0], nil
	case len(fit) > 1:
		return nil, fmt.Errorf("the snapshot has several %ss %s; pass --%s NAMESPACE/NAME: %s", k.name, name, k.flag, strings.Join(names, ", "))
	case len(there) == 0:
		return nil, fmt.Errorf("the snapshot has no %ss, so how Flux applies is unknown; %s", k.name, export)
	case name == "":
		return nil, fmt.Errorf("the snapshot has several %ss; pass one with --%s: %s", k.name, k.flag, strings.Join(names, ", "))
	}
	return nil, fmt.Errorf("the snapshot has no %s %s, only %s; %s", k.name, given, strings.Join(names, ", "), export)
}

// fromFile is the object of a file, with the status of the same one of the snapshot.
func (k fluxKind) fromFile(file string, limits manifest.Limits, there []*manifest.Object) (*manifest.Object, error) {
	set := manifest.Read(manifest.Options{Paths: []string{file}, Limits: limits})
	if err := unreadable(set.Problems); err != nil {
		return nil, err
	}
	var found *manifest.Object
	for _, o := range set.Objects {
		switch {
		case o.Kind.GroupKind() != k.groupKind:
		case found != nil:
			return nil, fmt.Errorf("%s has several %ss; pass a file with one", file, k.name)
		default:
			found = o
		}
	}
	if found == nil {
		_, group, _ := strings.Cut(k.resources, ".")
		return nil, fmt.Errorf("%s has no %s of %s; pass the file that Flux reads%s", file, k.name, group, map[string]string{"Kustomization": ", not a kustomization.yaml of kustomize"}[k.name])
	}
	found.Namespace = cmp.Or(found.Namespace, "flux-system")
	for _, o := range there {
		if o.ID() == found.ID() {
			found.Tree["status"] = o.Tree["status"]
		}
	}
	return found, nil
}
