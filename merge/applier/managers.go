package applier

import (
	"strings"

	"threeway/merge/applier/argocd"
)

// The field managers of the programs: of Helm the name of its binary, which is that of
// the controller in Flux (helm.sh/helm/v4/pkg/kube/client.go getManagedFieldsManager,
// kustomize-controller and helm-controller main.go).
const (
	HelmManager          = "helm"
	KustomizationManager = "kustomize-controller"
	helmReleaseManager   = "helm-controller"
)

// WritesAs reports whether a field manager is that of a claim's program.
func (c Claim) WritesAs(manager string) bool {
	switch {
	case c.Program == Helm:
		return manager == HelmManager
	case c.Program == ArgoCD:
		return manager == argocd.Manager || manager == argocd.UserAgent
	case strings.HasPrefix(c.By, "HelmRelease "):
		return manager == helmReleaseManager
	case c.Program == Flux:
		return manager == KustomizationManager
	}
	return false
}
