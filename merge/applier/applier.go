// Package applier tells which program applies an object: Helm, Argo CD, Flux or
// kapp. Each leaves marks on the objects, and some list the objects that they
// apply in objects of their own. It decides nothing: what is wrong with a claim is
// for the rules.
package applier

import (
	"slices"
	"strings"

	"threeway/merge/applier/argocd"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// Program is a program that applies manifests.
type Program string

// The programs, as people write them.
const (
	Kubectl Program = "kubectl"
	Helm    Program = "Helm"
	ArgoCD  Program = "Argo CD"
	Flux    Program = "Flux"
	Kapp    Program = "kapp"
)

// Kind is what a program calls that by which it applies objects.
type Kind string

// The kinds, as people write them.
const (
	Release       Kind = "release"
	Application   Kind = "Application"
	Kustomization Kind = "Kustomization"
	HelmRelease   Kind = "HelmRelease"
	App           Kind = "app" // of kapp
)

// Claim says that a program applies an object.
type Claim struct {
	Program Program
	// Kind, Namespace and Name are those of what applies it in the program: release
	// shop/shop, Application shop, Kustomization flux-system/shop. All are "" of
	// kubectl. Some marks do not tell the namespace.
	Kind            Kind
	Namespace, Name string
	// Mark is the label or annotation of the object that says so; nil if Listed does.
	Mark fieldpath.Path
	// Listed is the object of the program that lists it; nil if Mark says so.
	Listed *manifest.Object
}

// The marks of Helm (helm.sh/helm/v3/pkg/action/validate.go).
const (
	ManagedByLabel    = "app.kubernetes.io/managed-by"
	ManagedByHelm     = "Helm"
	ReleaseName       = "meta.helm.sh/release-name"
	ReleaseNamespace  = "meta.helm.sh/release-namespace"
	trackingID        = "argocd.argoproj.io/tracking-id" // argo-cd common/common.go
	argoInstance      = "argocd.argoproj.io/instance"
	fluxKustomization = "kustomize.toolkit.fluxcd.io" // fluxcd/pkg/ssa/manager.go, kustomize-controller/api/v1
	fluxHelmRelease   = "helm.toolkit.fluxcd.io"
	kappApp           = "kapp.k14s.io/app"
)

// KustomizationGroupKind is the kind of Flux's Kustomizations.
const KustomizationGroupKind = "Kustomization." + fluxKustomization

// Marks are the claims that an object itself shows. A mark that was copied from
// another object is none.
func Marks(o tree.Object) []Claim {
	labels, annotations := tree.Map(o, "metadata", "labels"), tree.Map(o, "metadata", "annotations")
	var claims []Claim
	add := func(p Program, where, key string, kind Kind, namespace, name string) {
		claims = append(claims, Claim{Program: p, Kind: kind, Namespace: namespace, Name: name, Mark: fieldpath.New("metadata", where, key)})
	}
	// The objects of a HelmRelease have Helm's marks too.
	if name := tree.String(labels, fluxHelmRelease+"/name"); name != "" {
		add(Flux, "labels", fluxHelmRelease+"/name", HelmRelease, tree.String(labels, fluxHelmRelease+"/namespace"), name)
	} else if name := tree.String(annotations, ReleaseName); name != "" {
		add(Helm, "annotations", ReleaseName, Release, tree.String(annotations, ReleaseNamespace), name)
	}
	if namespace, app := trackedBy(o, tree.String(annotations, trackingID)); app != "" {
		add(ArgoCD, "annotations", trackingID, Application, namespace, app)
	} else if app := tree.String(labels, argoInstance); app != "" {
		add(ArgoCD, "labels", argoInstance, Application, "", app)
	}
	if name := tree.String(labels, fluxKustomization+"/name"); name != "" {
		add(Flux, "labels", fluxKustomization+"/name", Kustomization, tree.String(labels, fluxKustomization+"/namespace"), name)
	}
	if app := tree.String(labels, kappApp); app != "" {
		add(Kapp, "labels", kappApp, App, "", app)
	}
	return claims
}

// Released is the release that an object is of by its marks, NAMESPACE/NAME; "" if it is of none.
func Released(o tree.Object) string {
	for _, c := range Marks(o) {
		if c.Kind == Release {
			return c.FullName()
		}
	}
	return ""
}

// trackedBy is the Application of a tracking ID, APP:GROUP/KIND:NAMESPACE/NAME; no name
// if the ID is not that of the object, such as one that the Deployment controller
// has copied (argo-cd util/argo/resource_tracking.go). The namespace of an ID
// is not compared: a cluster-scoped object has that of the destination.
func trackedBy(o tree.Object, id string) (namespace, app string) {
	app, rest, _ := strings.Cut(id, ":")
	kind, place, _ := strings.Cut(rest, ":")
	_, name, named := strings.Cut(place, "/")
	group, _, grouped := strings.Cut(tree.String(o, "apiVersion"), "/")
	if !grouped {
		group = ""
	}
	if !named || kind != group+"/"+tree.String(o, "kind") || name != tree.String(o, "metadata", "name") {
		return "", ""
	}
	if namespace, name, other := strings.Cut(app, "_"); other {
		return namespace, name
	}
	return "", app
}

// IsKubectl reports whether kubectl applies, which claims nothing.
func (c Claim) IsKubectl() bool { return c.Program == Kubectl }

// By names what applies it: release shop/shop; "" if the claim is kubectl's.
func (c Claim) By() string {
	if c.Kind == "" {
		return ""
	}
	return string(c.Kind) + " " + c.FullName()
}

// FullName is NAMESPACE/NAME, or NAME if the namespace is not known.
func (c Claim) FullName() string { return manifest.Placed(c.Namespace, c.Name) }

// In is the object of an Application or a Kustomization in a snapshot; nil if it is not
// there, or has none.
func (c Claim) In(live *manifest.Snapshot) *manifest.Object {
	for o := range live.OfKind(objectsOf[c.Kind]) {
		if o.Name == c.Name && (c.Namespace == "" || o.Namespace == c.Namespace) {
			return o
		}
	}
	return nil
}

// objectsOf are the kinds of the objects that list what they apply.
var objectsOf = map[Kind]string{Application: argocd.GroupKind, Kustomization: KustomizationGroupKind}

// Claims are those of an object of a snapshot: its marks, and what the programs'
// own objects list. One applier is there once.
func (l Lists) Claims(o *manifest.Object) []Claim {
	claims := Marks(o.Tree)
	for _, c := range l[o.ID()] {
		if !claimed(claims, c) {
			claims = append(claims, c)
		}
	}
	return claims
}

// claimed reports whether the claims have one of the same applier. The mark of an
// Application does not tell its namespace.
func claimed(claims []Claim, c Claim) bool { return slices.ContainsFunc(claims, c.Same) }

// Same reports whether two claims are of the same applier.
func (c Claim) Same(other Claim) bool {
	return other.Program == c.Program && other.Kind == c.Kind && other.Name == c.Name &&
		(other.Namespace == c.Namespace || other.Namespace == "" || c.Namespace == "")
}
