package command

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/merge"
	"threeway/merge/applier"
	"threeway/merge/applier/flux"
	"threeway/merge/manifest"
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
	}
}

// flux reads what the flags and the settings say of Flux.
func (v *resolver) flux() (*Flux, error) {
	if err := v.kubectlsOwn(applierFlux, "namespace", "server-side", "force-conflicts", "prune", "all", "prune-allowlist", "prune-root", "last-applied"); err != nil {
		return nil, err
	}
	return &Flux{
		Kustomization: v.text("kustomization", "apply.flux.kustomization", v.file.Flux.Kustomization),
		Override:      v.StringSlice("override-manager"),
	}, nil
}

func (f *Flux) brings() bool { return false }

// rehearse makes of what was read the options of Flux: how it applies is in the
// Kustomization, and its inventory in the snapshot.
func (f *Flux) rehearse(_ context.Context, r *Request, _ streams, opts *merge.Options) error {
	found, err := f.find(r, opts.Live)
	if err != nil {
		return err
	}
	k, err := flux.Read(found)
	if err != nil {
		return err
	}
	if r.AsApplied {
		return notRecorded(applier.Flux)
	}
	opts.By = (&merge.Kustomization{Kustomization: *k, Override: f.Override}).Arrange(opts.Config)
	return nil
}

// find is the Kustomization, with the status that the snapshot has of it.
func (f *Flux) find(r *Request, live *manifest.Snapshot) (*manifest.Object, error) {
	var there []*manifest.Object
	var names []string
	for o := range live.OfKind(flux.GroupKind) {
		there, names = append(there, o), append(names, o.Namespace+"/"+o.Name)
	}
	if info, err := os.Stat(f.Kustomization); err == nil && !info.IsDir() {
		return fromFile(f.Kustomization, r.Limits, there)
	}
	if f.Kustomization == "" && len(there) == 1 {
		return there[0], nil
	}
	namespace, name, given := strings.Cut(f.Kustomization, "/")
	if !given {
		namespace, name = "", f.Kustomization
	}
	var fit []*manifest.Object
	for _, o := range there {
		if o.Name == name && (namespace == "" || o.Namespace == namespace) {
			fit = append(fit, o)
		}
	}
	slices.Sort(names)
	const export = "export them too: kubectl get kustomizations.kustomize.toolkit.fluxcd.io -A -o yaml; or pass the file of the Kustomization with --kustomization FILE"
	switch {
	case len(fit) == 1:
		return fit[0], nil
	case len(fit) > 1:
		return nil, fmt.Errorf("the snapshot has several Kustomizations %s; pass --kustomization NAMESPACE/NAME: %s", name, strings.Join(names, ", "))
	case len(there) == 0:
		return nil, fmt.Errorf("the snapshot has no Kustomizations, so how Flux applies is unknown; %s", export)
	case name == "":
		return nil, fmt.Errorf("the snapshot has several Kustomizations; pass one with --kustomization: %s", strings.Join(names, ", "))
	}
	return nil, fmt.Errorf("the snapshot has no Kustomization %s, only %s; %s", f.Kustomization, strings.Join(names, ", "), export)
}

// fromFile is the Kustomization of a file, with the status of the same one of the snapshot.
func fromFile(file string, limits manifest.Limits, there []*manifest.Object) (*manifest.Object, error) {
	set := manifest.Read(manifest.Options{Paths: []string{file}, Limits: limits})
	if err := unreadable(set.Problems); err != nil {
		return nil, err
	}
	var found *manifest.Object
	for _, o := range set.Objects {
		switch {
		case o.Kind.GroupKind() != flux.GroupKind:
		case found != nil:
			return nil, fmt.Errorf("%s has several Kustomizations; pass a file with one", file)
		default:
			found = o
		}
	}
	if found == nil {
		return nil, fmt.Errorf("%s has no Kustomization of kustomize.toolkit.fluxcd.io; pass the file that Flux reads, not a kustomization.yaml of kustomize", file)
	}
	found.Namespace = cmp.Or(found.Namespace, "flux-system")
	for _, o := range there {
		if o.ID() == found.ID() {
			found.Tree["status"] = o.Tree["status"]
		}
	}
	return found, nil
}
