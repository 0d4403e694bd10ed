package applier

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// MadeByCluster is why no manifest stands for a live object, so that no program applies it;
// "" if one may.
func MadeByCluster(o *manifest.Object) string {
	for _, owner := range tree.List(o.Tree, "metadata", "ownerReferences") {
		if tree.Bool(owner, "controller") {
			return "owned by a controller"
		}
	}
	label := func(key string) string { return tree.String(o.Tree, "metadata", "labels", key) }
	kind := o.Kind.GroupKind()
	system := strings.HasPrefix(o.Name, "system:") || label("kubernetes.io/bootstrapping") != ""
	switch {
	case tree.Has(o.Tree, "metadata", "deletionTimestamp"):
		return "being deleted"
	case kind == "Event" || kind == "Event.events.k8s.io" || kind == "Lease.coordination.k8s.io" || kind == "Node" || kind == "CSINode.storage.k8s.io" || kind == "Endpoints" || kind == "EndpointSlice.discovery.k8s.io" || kind == "ControllerRevision.apps" || kind == "ComponentStatus",
		o.ID().InEveryCluster(), kind == "ConfigMap" && o.Namespace == "kube-system" && o.Name == "extension-apiserver-authentication",
		kind == "IPAddress.networking.k8s.io", kind == "ServiceCIDR.networking.k8s.io" && o.Name == "kubernetes",
		kind == "Namespace" && strings.HasPrefix(o.Name, "kube-"),
		kind == "Secret" && slices.Contains([]string{"kubernetes.io/service-account-token", "helm.sh/release.v1"}, tree.String(o.Tree, "type")),
		kind == "PriorityClass.scheduling.k8s.io" && strings.HasPrefix(o.Name, "system-"),
		strings.HasSuffix(o.Kind.Group, "rbac.authorization.k8s.io") && system, label("kube-aggregator.kubernetes.io/automanaged") != "",
		o.Kind.Group == "flowcontrol.apiserver.k8s.io" && tree.Has(o.Tree, "metadata", "annotations", "apf.kubernetes.io/autoupdate-spec"):
		return "created by the cluster itself"
	}
	return ""
}

// Controller is the user that a controller of an exported Deployment or StatefulSet is, and
// the arguments of its containers; "" if the snapshot does not have it.
func Controller(live *manifest.Snapshot, name string) (user string, args []string) {
	for _, kind := range []string{"Deployment.apps", "StatefulSet.apps"} {
		for _, e := range live.EntriesOfKind(kind) {
			if e.Name != name {
				continue
			}
			spec := tree.Map(e.Object().Tree, "spec", "template", "spec")
			for _, container := range tree.List(spec, "containers") {
				for _, arg := range tree.List(container, "args") {
					args = append(args, fmt.Sprint(arg))
				}
			}
			return "system:serviceaccount:" + e.Namespace + ":" + cmp.Or(tree.String(spec, "serviceAccountName"), "default"), args
		}
	}
	return "", nil
}
