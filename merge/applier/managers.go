package applier

import (
	"threeway/merge/applier/argocd"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// The field managers of the programs: of Helm the name of its binary, which is that of
// the controller in Flux (helm.sh/helm/v4/pkg/kube/client.go getManagedFieldsManager,
// kustomize-controller and helm-controller main.go).
const (
	KubectlManager       = "kubectl-client-side-apply"
	HelmManager          = "helm"
	KustomizationManager = "kustomize-controller"
	HelmReleaseManager   = "helm-controller"
)

// Manager is the field manager that the program of a claim applies as; client-side, if it
// is kubectl. That of kapp is unknown.
func (c Claim) Manager() string {
	switch {
	case c.Program == Helm:
		return HelmManager
	case c.Program == ArgoCD:
		return argocd.Manager
	case c.Kind == HelmRelease:
		return HelmReleaseManager
	case c.Program == Flux:
		return KustomizationManager
	case c.Program == Kubectl:
		return KubectlManager
	}
	return ""
}

// WritesAs reports whether a field manager is that of a claim's program.
func (c Claim) WritesAs(manager string) bool {
	switch {
	case c.Program == Kubectl:
		return manager == "kubectl" || manager == KubectlManager
	case c.Program == ArgoCD:
		return manager == argocd.Manager || manager == argocd.UserAgent
	}
	return manager != "" && manager == c.Manager()
}

// IsManager reports whether a field manager is that of one of the programs but kubectl.
func IsManager(name string) bool {
	switch name {
	case HelmManager, argocd.Manager, argocd.UserAgent, KustomizationManager, HelmReleaseManager:
		return true
	}
	return false
}

// marks are the labels and annotations that each program gives the objects that it
// applies. tree.LastApplied is kubectl's, and Argo CD's if it applies client-side.
var marks = map[Program]map[string][]string{
	Kubectl: {"annotations": {tree.LastApplied}},
	Helm:    {"labels": {ManagedByLabel}, "annotations": {ReleaseName, ReleaseNamespace}},
	ArgoCD:  {"labels": {argoInstance}, "annotations": {trackingID, "argocd.argoproj.io/installation-id", tree.LastApplied}},
	Flux: {"labels": {fluxKustomization + "/name", fluxKustomization + "/namespace", fluxHelmRelease + "/name", fluxHelmRelease + "/namespace",
		ManagedByLabel}, "annotations": {ReleaseName, ReleaseNamespace}},
}

// LeftBy are the marks of a program on an object.
func (p Program) LeftBy(o tree.Object) (left []fieldpath.Path) {
	for _, where := range []string{"labels", "annotations"} {
		for _, key := range marks[p][where] {
			value := tree.String(o, "metadata", where, key)
			if value != "" && (key != ManagedByLabel || value == ManagedByHelm) {
				left = append(left, fieldpath.New("metadata", where, key))
			}
		}
	}
	return left
}
