package applier

import (
	"strings"
	"testing"

	"threeway/merge/manifest"
	"threeway/merge/tree"
)

func object(kind, name string, labels, annotations tree.Object) tree.Object {
	return tree.Object{"apiVersion": "apps/v1", "kind": kind, "metadata": tree.Object{"name": name, "namespace": "shop", "labels": labels, "annotations": annotations}}
}

// TestMarks: each program is known by its mark, and a mark of another object is none.
func TestMarks(t *testing.T) {
	none := tree.Object{}
	for want, o := range map[string]tree.Object{
		"":                                    object("Deployment", "api", none, none),
		"Helm release shop/web":               object("Deployment", "api", none, tree.Object{ReleaseName: "web", ReleaseNamespace: "shop"}),
		"Flux HelmRelease flux-system/web":    object("Deployment", "api", tree.Object{fluxHelmRelease + "/name": "web", fluxHelmRelease + "/namespace": "flux-system"}, tree.Object{ReleaseName: "web"}),
		"Argo CD Application web":             object("Deployment", "api", none, tree.Object{trackingID: "web:apps/Deployment:shop/api"}),
		"Argo CD Application team/web":        object("Deployment", "api", none, tree.Object{trackingID: "team_web:apps/Deployment:shop/api"}),
		"Argo CD Application old":             object("Deployment", "api", tree.Object{argoInstance: "old"}, none),
		"Flux Kustomization flux-system/apps": object("Deployment", "api", tree.Object{fluxKustomization + "/name": "apps", fluxKustomization + "/namespace": "flux-system"}, none),
		"kapp app 17":                         object("Deployment", "api", tree.Object{kappApp: "17"}, none),
		"Helm release web; Argo CD Application web": object("Deployment", "api", none,
			tree.Object{ReleaseName: "web", trackingID: "web:apps/Deployment:shop/api"}),
	} {
		if got := said(Marks(o)); got != want {
			t.Errorf("%v: %q, want %q", o["metadata"], got, want)
		}
	}
	copied := object("ReplicaSet", "api-6b4c", none, tree.Object{trackingID: "web:apps/Deployment:shop/api"})
	if got := said(Marks(copied)); got != "" {
		t.Errorf("a copied tracking ID: %q", got)
	}
}

func said(claims []Claim) string {
	var list []string
	for _, c := range claims {
		list = append(list, string(c.Program)+" "+c.By())
	}
	return strings.Join(list, "; ")
}

func TestInventoryID(t *testing.T) {
	for text, want := range map[string]string{
		"shop_api_apps_Deployment":                            "shop/Deployment.apps/api",
		"shop_settings__ConfigMap":                            "shop/ConfigMap/settings",
		"_shop__Namespace":                                    "Namespace/shop",
		"_system__node_rbac.authorization.k8s.io_ClusterRole": "ClusterRole.rbac.authorization.k8s.io/system:node",
	} {
		if got, ok := InventoryID(text); !ok || got.String() != want {
			t.Errorf("%s: %s %v, want %s", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "api", "shop_api", "shop_api_apps", "a_b_c_d_e"} {
		if got, ok := InventoryID(text); ok {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// FuzzInventoryID: an ID that is read is written the same.
func FuzzInventoryID(f *testing.F) {
	f.Add("shop_api_apps_Deployment")
	f.Add("_system__node_rbac.authorization.k8s.io_ClusterRole")
	f.Fuzz(func(t *testing.T, text string) {
		id, ok := InventoryID(text)
		if !ok || strings.Contains(text, ":") {
			return
		}
		if again := strings.Join([]string{id.Namespace, strings.ReplaceAll(id.Name, ":", "__"), id.Group, id.Kind}, "_"); again != text {
			t.Errorf("%q is read as %+v, which is %q", text, id, again)
		}
	})
}

// TestClaimsAreThereOnce: an Application that lists what it has marked is one claim.
func TestClaimsAreThereOnce(t *testing.T) {
	o := &manifest.Object{Tree: object("Deployment", "api", tree.Object{}, tree.Object{trackingID: "web:apps/Deployment:shop/api"})}
	o.Kind.Group, o.Kind.Kind, o.Namespace, o.Name = "apps", "Deployment", "shop", "api"
	lists := Lists{o.ID(): {
		{Program: ArgoCD, Kind: Application, Namespace: "argocd", Name: "web"},
		{Program: Flux, Kind: Kustomization, Namespace: "flux-system", Name: "a"},
		{Program: Flux, Kind: Kustomization, Namespace: "flux-system", Name: "b"},
	}}
	if got, want := said(lists.Claims(o)), "Argo CD Application web; Flux Kustomization flux-system/a; Flux Kustomization flux-system/b"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
