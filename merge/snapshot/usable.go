package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/mask"
)

// Usable returns why nothing can be learnt from a snapshot, nil if something
// can: an export that failed or found nothing leaves a file that holds nothing,
// or a List without items. Typed empty lists (kind: DeploymentList) say of what
// there is nothing, so they are enough. empty says that the cluster has nothing
// to export (--empty-cluster); from are the paths of the snapshot, for the text.
func Usable(live *manifest.Snapshot, empty bool, from []string) error {
	objects := len(live.Entries)
	switch {
	case len(from) == 0 && !empty:
		return nil
	case empty && objects > 0:
		return fmt.Errorf("--empty-cluster means that no object is live, but %s has objects (%d); remove one of the two", strings.Join(from, ", "), objects)
	case empty || objects > 0 || len(live.Kinds()) > 0:
		return nil
	}
	return fmt.Errorf("no live objects in %s: the export failed or found nothing; export again ('threeway snapshot' prints the command), or pass --empty-cluster if the cluster has none of these objects",
		strings.Join(from, ", "))
}

// Masked returns the error of a live object whose values are masked; nil if
// they are not. Then the object is not from a cluster: threeway or kubectl diff
// printed it.
func Masked(live *manifest.Object) error {
	if !mask.Masked(live.Tree) {
		return nil
	}
	return fmt.Errorf("%s is masked in the snapshot (%s in place of its values): this is output of threeway merge or kubectl diff, not an export; export the object ('threeway snapshot' prints the command)",
		live.ID(), mask.Value)
}

// OtherNamespaces lists the namespaces that the set has objects in and the
// snapshot has none in, although it has objects in others: it was exported from
// other namespaces. A namespace that the set creates, or that the snapshot shows
// not to exist, does not count. The namespaces of the set must have been resolved.
func OtherNamespaces(live *manifest.Snapshot, set *manifest.Set) []string {
	has := live.Namespaces()
	if len(has) == 0 {
		return nil
	}
	exists := func(name string) bool {
		return live.FindEntry(manifest.Identity{Kind: "Namespace", Name: name}) != nil
	}
	created := map[string]bool{}
	for _, o := range set.Objects {
		if o.Kind.GroupKind() == "Namespace" {
			created[o.Name] = true
		}
	}
	var missing []string
	found := false
	for _, o := range set.Objects {
		ns := o.Namespace
		switch {
		case ns == "" || slices.Contains(missing, ns):
		case slices.Contains(has, ns):
			found = true
		case exists(ns) || !created[ns] && !exists("kube-system"): // with it, all of them
			missing = append(missing, ns)
		}
	}
	if found && !slices.ContainsFunc(has, func(ns string) bool { return furnished(live, ns) }) {
		return nil
	}
	slices.Sort(missing)
	return missing
}

// furnished reports whether the snapshot has what the controllers put into every
// namespace (pkg/controller/serviceaccount, .../certificates/rootcacertpublisher),
// so that a namespace without it was not exported.
func furnished(live *manifest.Snapshot, namespace string) bool {
	return live.FindEntry(manifest.Identity{Kind: "ServiceAccount", Namespace: namespace, Name: "default"}) != nil ||
		live.FindEntry(manifest.Identity{Kind: "ConfigMap", Namespace: namespace, Name: "kube-root-ca.crt"}) != nil
}
