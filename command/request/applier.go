package request

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"
)

// The values of --applier.
const (
	ApplierKubectl = "kubectl"
	ApplierHelm    = "helm"
	ApplierArgoCD  = "argocd"
	ApplierFlux    = "flux"
)

// OtherApplier is a program other than kubectl that applies the manifests, as the flags and the
// settings say.
type OtherApplier interface {
	// brings reports whether the manifests come from the program, and not from -f or -k.
	brings() bool
}

// programFlags are the flags of each program.
func programFlags() map[string][]cli.Flag {
	return map[string][]cli.Flag{
		ApplierHelm:   append(HelmFlags(), ChartFlags()...),
		ApplierArgoCD: ArgoFlags(),
		ApplierFlux:   append(FluxFlags(), ChartFlags()...),
	}
}

// flagNames are those of flags.
func flagNames(flags []cli.Flag) (list []string) {
	for _, flag := range flags {
		list = append(list, flag.Names()[0])
	}
	return list
}

// ApplierFlags say which program applies.
func ApplierFlags() []cli.Flag {
	choose := &cli.StringFlag{Name: "applier", Category: categoryApplier, DefaultText: ApplierKubectl,
		Usage: "rehearse how `PROGRAM` applies the manifests: kubectl, helm with --release, argocd with --app, or flux with --kustomization or --helmrelease"}
	as := &cli.StringFlag{Name: "as", Category: categoryApplier, Usage: "rehearse the apply as `USER`: what RBAC forbids it is rejected, and admission policies know it"}
	return slices.Concat([]cli.Flag{choose, as}, HelmFlags(), ChartFlags(), ArgoFlags(), FluxFlags())
}

// Program is the place of the program that has a flag, in the order of a help: 1 is
// kubectl, 0 none, since the flag does not say how manifests are applied.
func Program(f cli.Flag) int {
	c, ok := f.(cli.CategorizableFlag)
	if !ok {
		return 0
	}
	return 1 + slices.Index([]string{CategoryApply, categoryApplier, categoryHelm, categoryArgoCD, categoryFlux}, c.GetCategory())
}

// LookFlags are those of ApplierFlags for commands that look at what was applied, and
// apply nothing new: no rollback, no chart that is rendered, no correction.
func LookFlags() []cli.Flag {
	return Without(ApplierFlags(), "rollback", "chart", "values", "set", "take-ownership", "drift-detection", "as")
}

// Without are flags but those of some names.
func Without(flags []cli.Flag, names ...string) []cli.Flag {
	return slices.DeleteFunc(flags, func(f cli.Flag) bool { return slices.Contains(names, f.Names()[0]) })
}

// OtherApplier reads which program applies, and how; nil if it is kubectl.
func (v *Resolver) otherApplier(m *Manifests, k *Cluster) (OtherApplier, error) {
	var chosen string
	switch by := v.file.Applier; {
	case v.moves():
		chosen = v.String("to")
	case v.Command.Name == "handover" && by != "" && by != ApplierKubectl:
		return nil, fmt.Errorf("handover of a field follows kubectl, and %s says that %s applies; use threeway diff, or pass -c ''", v.file.File, by)
	case !v.has("applier") && v.Command.Name != "handover", v.noManifests && !v.IsSet("applier"):
		return nil, nil
	default:
		chosen = cmp.Or(v.text("applier", "apply.applier", by), ApplierKubectl)
	}
	flags := programFlags()
	for _, name := range []string{ApplierHelm, ApplierArgoCD, ApplierFlux} {
		for _, flag := range flagNames(flags[name]) {
			if v.IsSet(flag) && !slices.Contains(flagNames(flags[chosen]), flag) {
				with := fmt.Sprintf("--%s %s", v.choice(), name)
				if name == ApplierHelm && !v.IsSet("release") {
					with += " --release NAME"
				}
				return nil, fmt.Errorf("--%s only works with %s", flag, with)
			}
		}
	}
	switch chosen {
	case ApplierKubectl:
		return nil, nil
	case ApplierHelm:
		return v.helm(m, k)
	case ApplierArgoCD:
		return v.argo(k)
	case ApplierFlux:
		return v.flux(m, k)
	}
	return nil, fmt.Errorf("unknown applier %q: use kubectl, helm, argocd or flux", chosen)
}

// Brings reports whether the manifests come from the program that applies them, or from
// the snapshot.
func (r *Inputs) Brings() bool { return r.AsApplied || r.By != nil && r.By.brings() }

// moves reports whether the command is handover --to.
func (v *Resolver) moves() bool { return v.Command.Name == "handover" && v.IsSet("to") }

// choice is the flag that chooses the applier.
func (v *Resolver) choice() string {
	if v.has("applier") {
		return "applier"
	}
	return "to"
}

// kubectlsOwn refuses flags that only kubectl has.
func (v *Resolver) kubectlsOwn(by string, more ...string) error {
	for _, flag := range slices.Concat([]string{"selector", "field-manager", "migrate", "overwrite", "validate"}, more) {
		if v.IsSet(flag) {
			return fmt.Errorf("--%s is kubectl's; remove it, or --%s %s", flag, v.choice(), by)
		}
	}
	return nil
}
