package command

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/merge"
)

// The values of --applier.
const (
	applierKubectl = "kubectl"
	applierHelm    = "helm"
	applierArgoCD  = "argocd"
	applierFlux    = "flux"
)

// otherApplier is a program other than kubectl that applies the manifests, as the flags and the
// settings say.
type otherApplier interface {
	// brings reports whether the manifests come from the program, and not from -f or -k.
	brings() bool
	// rehearse completes the options of a rehearsal, which have all that was read.
	rehearse(ctx context.Context, r *Request, std streams, opts *merge.Options) error
}

// programFlags are the flags of each program.
func programFlags() map[string][]cli.Flag {
	return map[string][]cli.Flag{applierHelm: helmFlags(), applierArgoCD: argoFlags(), applierFlux: fluxFlags()}
}

// applierFlags say which program applies.
func applierFlags() []cli.Flag {
	choose := &cli.StringFlag{Name: "applier", Category: categoryOwn, DefaultText: applierKubectl,
		Usage: "rehearse how `PROGRAM` applies the manifests: kubectl, helm with --release, argocd with --app, or flux with --kustomization"}
	return slices.Concat([]cli.Flag{choose}, helmFlags(), argoFlags(), fluxFlags())
}

// lookFlags are those of applierFlags for commands that look at what was applied, and
// apply nothing new: no rollback, no chart that is rendered.
func lookFlags() []cli.Flag {
	not := []string{"rollback", "chart", "values", "set", "take-ownership"}
	return slices.DeleteFunc(applierFlags(), func(f cli.Flag) bool { return slices.Contains(not, f.Names()[0]) })
}

// otherApplier reads which program applies, and how; nil if it is kubectl.
func (v *resolver) otherApplier(m *Manifests, k *Cluster) (otherApplier, error) {
	if !v.has("applier") {
		if by := v.file.Applier; by != "" && by != applierKubectl && v.Command.Name == "handover" {
			return nil, fmt.Errorf("handover follows kubectl, and %s says that %s applies; use threeway diff, or pass -c ''", v.file.File, by)
		}
		return nil, nil
	}
	if v.noManifests && !v.IsSet("applier") {
		return nil, nil
	}
	chosen := cmp.Or(v.text("applier", "apply.applier", v.file.Applier), applierKubectl)
	flags := programFlags()
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		for _, flag := range flags[name] {
			if name != chosen && v.IsSet(flag.Names()[0]) {
				return nil, fmt.Errorf("--%s only works with --applier %s", flag.Names()[0], name)
			}
		}
	}
	switch chosen {
	case applierKubectl:
		return nil, nil
	case applierHelm:
		return v.helm(m, k)
	case applierArgoCD:
		return v.argo(k)
	case applierFlux:
		return v.flux()
	}
	return nil, fmt.Errorf("unknown applier %q: use kubectl, helm, argocd or flux", chosen)
}

// brings reports whether the manifests come from the program that applies them, or from
// the snapshot.
func (r *Request) brings() bool { return r.AsApplied || r.By != nil && r.By.brings() }

// kubectlsOwn refuses flags that only kubectl has.
func (v *resolver) kubectlsOwn(by string, more ...string) error {
	for _, flag := range slices.Concat([]string{"selector", "field-manager", "migrate", "overwrite", "applyset", "validate"}, more) {
		if v.IsSet(flag) {
			return fmt.Errorf("--%s is kubectl's; remove it, or --applier %s", flag, by)
		}
	}
	return nil
}
