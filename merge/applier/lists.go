package applier

import (
	"strings"

	"threeway/merge/applier/argocd"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// Lists are the claims of programs that list in an object of their own what they
// apply, by the identity of what is listed.
type Lists map[manifest.Identity][]Claim

// ReadLists reads the inventories of Flux's Kustomizations and the resources of
// Argo CD's Applications in a snapshot.
func ReadLists(live *manifest.Snapshot) Lists {
	lists := Lists{}
	for o := range live.OfKind(KustomizationGroupKind) {
		c := Claim{Program: Flux, Kind: Kustomization, Namespace: o.Namespace, Name: o.Name, Listed: o}
		for _, entry := range tree.List(o.Tree, "status", "inventory", "entries") {
			if id, ok := InventoryID(tree.String(entry, "id")); ok {
				lists[id] = append(lists[id], c)
			}
		}
	}
	for o := range live.OfKind(argocd.GroupKind) {
		c := Claim{Program: ArgoCD, Kind: Application, Namespace: o.Namespace, Name: o.Name, Listed: o}
		for _, r := range tree.List(o.Tree, "status", "resources") {
			id := manifest.Identity{Group: tree.String(r, "group"), Kind: tree.String(r, "kind"), Namespace: tree.String(r, "namespace"), Name: tree.String(r, "name")}
			lists[id] = append(lists[id], c)
		}
	}
	return lists
}

// InventoryID reads an entry of Flux's inventory: NAMESPACE_NAME_GROUP_KIND, in
// which an empty part stays and the colon of an RBAC name is "__"
// (github.com/fluxcd/cli-utils/pkg/object/objmetadata.go ParseObjMetadata).
func InventoryID(text string) (manifest.Identity, bool) {
	namespace, rest, ok := strings.Cut(text, "_")
	kindAt := strings.LastIndex(rest, "_")
	if !ok || kindAt < 0 {
		return manifest.Identity{}, false
	}
	kind, rest := rest[kindAt+1:], rest[:kindAt]
	groupAt := strings.LastIndex(rest, "_")
	if groupAt < 0 {
		return manifest.Identity{}, false
	}
	group, name := rest[groupAt+1:], strings.ReplaceAll(rest[:groupAt], "__", ":")
	if strings.Contains(name, "_") {
		return manifest.Identity{}, false
	}
	return manifest.Identity{Group: group, Kind: kind, Namespace: namespace, Name: name}, true
}
