package request

import (
	"fmt"

	"github.com/urfave/cli/v2"
)

// ArgoCD says as which Application Argo CD applies.
type ArgoCD struct {
	// App is [NAMESPACE/]NAME, or a file; "" for the only one.
	App string
	// Prune and ServerSide are nil if the Application decides.
	Prune, ServerSide *bool
}

const categoryArgoCD = "FLAGS OF ARGO CD"

// ArgoFlags are those of --applier argocd.
func ArgoFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "app", Category: categoryArgoCD, Usage: "with --applier argocd: the Application `[NAMESPACE/]NAME` of the snapshot or the manifests, or the file of a new or changed one (default: the only one)"},
	}
}

// ArgoDiffFlag shows another difference than that of the sync.
func ArgoDiffFlag() cli.Flag {
	return &cli.BoolFlag{Name: "argo-diff", Category: categoryArgoCD, Usage: "show the difference that Argo CD shows, between normalized objects, and not what the sync changes"}
}

// argo reads what the flags and the settings say of Argo CD.
func (v *Resolver) argo(*Cluster) (*ArgoCD, error) {
	a := &ArgoCD{App: v.text("app", "apply.argocd.app", v.file.ArgoCD.App)}
	given := func(flag string) *bool {
		if !v.IsSet(flag) {
			return nil
		}
		value := v.Bool(flag)
		return &value
	}
	p := v.pruned()
	a.ServerSide = given("server-side")
	if v.IsSet("prune") {
		a.Prune = &p.Prune
	}
	switch {
	case v.IsSet("namespace"):
		return nil, fmt.Errorf("-n is kubectl's: the Application says in which namespace its objects are; remove it, or --applier argocd")
	case v.IsSet("force-conflicts"):
		return nil, fmt.Errorf("--force-conflicts is kubectl's: Argo CD always takes over fields; remove it, or --applier argocd")
	case v.IsSet("last-applied"):
		return nil, fmt.Errorf("--last-applied does not work with --applier argocd, which needs a snapshot with the Application")
	}
	if p.PruneAll || p.ApplySet != "" || len(p.Allowlist) > 0 {
		return nil, fmt.Errorf("--prune=WHAT is kubectl's: Argo CD prunes what it tracks; pass --prune alone, or remove --applier argocd")
	}
	return a, v.kubectlsOwn(ApplierArgoCD)
}

func (a *ArgoCD) brings() bool { return false }
