// Package argocd reads what Argo CD keeps in a cluster: Applications with the options
// of their sync, and the settings in argocd-cm. It knows the marks by which Argo CD
// finds its objects, the order in which it applies them, and which are hooks.
//
// It follows github.com/argoproj/argo-cd/v3 v3.5.1 and its gitops-engine.
package argocd

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// Manager is the field manager of Argo CD, client-side too (common/common.go
// ArgoCDSSAManager). UserAgent is that of the requests that name none.
const (
	Manager   = "argocd-controller"
	UserAgent = "argocd-application-controller"
)

// GroupKind is the kind of Application.
const GroupKind = "Application.argoproj.io"

// The annotations of Argo CD that objects have (gitops-engine/pkg/sync/common/types.go).
const (
	syncOptions    = "argocd.argoproj.io/sync-options"
	waveAnnotation = "argocd.argoproj.io/sync-wave"
	hookAnnotation = "argocd.argoproj.io/hook"
	compareOptions = "argocd.argoproj.io/compare-options"
)

// Application is one, as far as a sync goes by it.
type Application struct {
	Namespace, Name string
	// Destination is the namespace of the objects that name none.
	Destination string
	// User is whom Argo CD applies as, "" if that is its controller, and Refusal why it does not
	// find one.
	User, Refusal string
	// Elsewhere tells that it applies in another cluster than its own.
	Elsewhere bool
	// InManifests tells that it was found among the manifests.
	InManifests bool
	// Resources are the objects that it tracks, as its status lists them.
	Resources []manifest.Identity
	// Options are spec.syncPolicy.syncOptions.
	Options Options
	// AutoPrune is spec.syncPolicy.automated.prune, SelfHeal selfHeal.
	AutoPrune, SelfHeal bool
	// Confirmed tells that deletions that ask for confirmation have it.
	Confirmed bool
	// Migrates is the manager whose fields a server-side apply takes over first.
	Migrates string
	// ManagedNamespace is spec.syncPolicy.managedNamespaceMetadata; nil if it is not
	// set.
	ManagedNamespace tree.Object
	Tracking         Tracking
	Ignored          []Ignore
	// Compare is how objects are compared.
	Compare Compare
}

// Options are sync options, each NAME=VALUE.
type Options []string

// Has reports whether an option is among them.
func (o Options) Has(option string) bool { return slices.Contains(o, option) }

// Value is that of an option, "" if it is not set.
func (o Options) Value(name string) string {
	for _, option := range o {
		if value, is := strings.CutPrefix(option, name+"="); is {
			return value
		}
	}
	return ""
}

// OptionsOf are the sync options in the annotation of an object
// (gitops-engine/pkg/sync/resource/annotations.go).
func OptionsOf(o tree.Object) Options { return commaSeparated(o, syncOptions) }

// commaSeparated are the values of an annotation.
func commaSeparated(o tree.Object, annotation string) (values []string) {
	for _, v := range strings.Split(tree.String(o, "metadata", "annotations", annotation), ",") {
		if v = strings.TrimSpace(v); v != "" && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// String is NAMESPACE/NAME.
func (a *Application) String() string { return manifest.Placed(a.Namespace, a.Name) }

// Find reads the Application of a name, [NAMESPACE/]NAME, from a snapshot, or from the
// manifests if the snapshot does not have it; then it is taken out of them. Without a
// name it is the only one that there is.
func Find(live *manifest.Snapshot, manifests *manifest.Set, name string) (*Application, error) {
	found, inManifests := matching(slices.Collect(live.OfKind(GroupKind)), name), false
	if len(found) == 0 {
		found, inManifests = matching(manifests.Objects, name), true
	}
	switch {
	case len(found) == 0 && name == "":
		return nil, fmt.Errorf("neither the snapshot nor the manifests have an Application; export it too (kubectl get applications.argoproj.io -n argocd -o yaml), or pass its file with --app")
	case len(found) == 0:
		return nil, fmt.Errorf("neither the snapshot nor the manifests have Application %s; check --app, or export it too: kubectl get applications.argoproj.io -n argocd -o yaml", name)
	case len(found) > 1:
		return nil, fmt.Errorf("there are %d Applications: %s; choose one with --app NAMESPACE/NAME", len(found), names(found))
	}
	manifests.Objects = slices.DeleteFunc(manifests.Objects, func(o *manifest.Object) bool { return o == found[0] })
	return Read(live, manifests, found[0], inManifests)
}

// Read makes an Application of an object, by what else is in a snapshot and in manifests.
func Read(live *manifest.Snapshot, manifests *manifest.Set, app *manifest.Object, inManifests bool) (*Application, error) {
	s := settingsOf(live, manifests)
	a, err := read(app.Tree, s)
	if err != nil {
		return nil, err
	}
	if s.impersonates {
		a.impersonate(app.Tree, s, live, manifests)
	}
	a.InManifests = inManifests
	return a, nil
}

// matching are the Applications of a name, or all of them.
func matching(objects []*manifest.Object, name string) (found []*manifest.Object) {
	namespace, bare, both := strings.Cut(name, "/")
	if !both {
		namespace, bare = "", name
	}
	for _, o := range objects {
		if o.Kind.GroupKind() == GroupKind && (bare == "" || o.Name == bare) && (namespace == "" || o.Namespace == namespace) {
			found = append(found, o)
		}
	}
	return found
}

func names(objects []*manifest.Object) string {
	var list []string
	for _, o := range objects {
		list = append(list, (&Application{Namespace: o.Namespace, Name: o.Name}).String())
	}
	slices.Sort(list)
	if len(list) > 5 {
		list = append(list[:5], fmt.Sprintf("and %d more", len(list)-5))
	}
	return strings.Join(list, ", ")
}

// read makes an Application of the object (pkg/apis/application/v1alpha1/types.go).
func read(o tree.Object, s settings) (*Application, error) {
	policy := tree.Map(o, "spec", "syncPolicy")
	a := &Application{
		Namespace: tree.String(o, "metadata", "namespace"), Name: tree.String(o, "metadata", "name"),
		Destination: tree.String(o, "spec", "destination", "namespace"),
		Confirmed:   tree.String(o, "metadata", "annotations", "argocd.argoproj.io/deletion-approved") != "",
		Migrates:    tree.String(o, "metadata", "annotations", "argocd.argoproj.io/client-side-apply-migration-manager"),
		AutoPrune:   tree.Bool(policy, "automated", "prune"), SelfHeal: tree.Bool(policy, "automated", "selfHeal"),
	}
	server, cluster := tree.String(o, "spec", "destination", "server"), tree.String(o, "spec", "destination", "name")
	a.Elsewhere = server != "" && server != inCluster || cluster != "" && cluster != "in-cluster"
	if a.Migrates == "" {
		a.Migrates = "kubectl-client-side-apply"
	}
	for _, v := range tree.List(policy, "syncOptions") {
		if text, is := v.(string); is {
			a.Options = append(a.Options, text)
		}
	}
	for _, v := range tree.List(o, "status", "resources") {
		a.Resources = append(a.Resources, manifest.Identity{Group: tree.String(v, "group"), Kind: tree.String(v, "kind"), Namespace: tree.String(v, "namespace"), Name: tree.String(v, "name")})
	}
	if a.Options.Has("ClientSideApplyMigration=false") {
		a.Migrates = ""
	}
	if tree.Has(policy, "managedNamespaceMetadata") {
		a.ManagedNamespace = tree.Map(policy, "managedNamespaceMetadata")
	}
	a.Tracking, a.Compare = s.tracking, s.compare
	options := Options(commaSeparated(o, compareOptions))
	a.Compare.ServerSide = options.Has("ServerSideDiff=true") && !options.Has("ServerSideDiff=false")
	a.Compare.Mutations = options.Has("IncludeMutationWebhook=true")
	if a.Tracking.instance = a.Name; a.Namespace != "" && a.Namespace != s.namespace {
		a.Tracking.instance = a.Namespace + "_" + a.Name
	}
	var err error
	a.Ignored, err = readIgnored(tree.List(o, "spec", "ignoreDifferences"), fmt.Sprintf("Application %s", a))
	a.Ignored = append(a.Ignored, s.ignored...)
	return a, err
}
