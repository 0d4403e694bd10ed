package inputs

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"threeway/command/request"
	"threeway/command/system"
	"threeway/merge"
	"threeway/merge/applier/argocd"
	"threeway/merge/applier/flux"
	"threeway/merge/applier/helm"
	byflux "threeway/merge/by/flux"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/shell"
)

// rehearseKustomization makes of what was read the options of Flux: how it applies is in the
// Kustomization, and its inventory in the snapshot.
func rehearseKustomization(f *request.Flux, r *request.Inputs, opts *merge.Options) error {
	found, err := kustomizationKind.find(f.Kustomization, r, opts.Live)
	if err != nil {
		return err
	}
	k, err := flux.Read(found)
	if err != nil {
		return err
	}
	if r.AsApplied {
		opts.Manifests = &manifest.Set{}
	}
	opts.ServerSide = &rehearsal.ServerSide{Force: true, Manager: byflux.FluxManager}
	opts.By = (&byflux.Kustomization{Kustomization: *k, Override: f.Override}).Arrange(opts.Manifests)
	return nil
}

// toldKind is a kind that tells a program how to apply, as the flags and the commands call it.
type toldKind struct{ groupKind, name, resources, flag, namespace string }

var (
	kustomizationKind = toldKind{flux.GroupKind, "Kustomization", "kustomizations." + flux.Group, "kustomization", "flux-system"}
	helmReleaseKind   = toldKind{flux.HelmGroupKind, "HelmRelease", "helmreleases." + flux.HelmGroup, "helmrelease", "flux-system"}
	applicationKind   = toldKind{argocd.GroupKind, "Application", "applications.argoproj.io", "app", "argocd"}
)

// find is the object of the kind, given as [NAMESPACE/]NAME, as a file, or, if the snapshot
// has only one, not at all. It has the status that the snapshot has of it.
func (k toldKind) find(given string, r *request.Inputs, live *manifest.Snapshot) (*manifest.Object, error) {
	var there []*manifest.Object
	var names []string
	for o := range live.OfKind(k.groupKind) {
		there, names = append(there, o), append(names, o.Namespace+"/"+o.Name)
	}
	if isFile(given) {
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

// isFile reports whether what a flag names is a file.
func isFile(given string) bool {
	info, err := os.Stat(given)
	return err == nil && !info.IsDir()
}

// fromFile is the object of a file, with the status of the same one of the snapshot.
func (k toldKind) fromFile(file string, limits manifest.Limits, there []*manifest.Object) (*manifest.Object, error) {
	set := manifest.Read(manifest.Options{Paths: []string{file}, Limits: limits})
	if err := Unreadable(set.Problems); err != nil {
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
		return nil, fmt.Errorf("%s has no %s of %s; pass the file that has it%s", file, k.name, group, map[string]string{"Kustomization": ", not a kustomization.yaml of kustomize"}[k.name])
	}
	found.Namespace = cmp.Or(found.Namespace, k.namespace)
	for _, o := range there {
		if o.ID() == found.ID() {
			found.Tree["status"] = o.Tree["status"]
		}
	}
	return found, nil
}

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
