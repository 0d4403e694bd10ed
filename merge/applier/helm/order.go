package helm

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// installOrder are the kinds in the order in which Helm applies them. Kinds of no
// place in it, in Helm 3 also the last two, come last, by name (helm.sh/helm/v4
// pkg/release/v1/util/kind_sorter.go InstallOrder).
var installOrder = []string{
	"PriorityClass", "Namespace", "NetworkPolicy", "ResourceQuota", "LimitRange", "PodSecurityPolicy", "PodDisruptionBudget", "ServiceAccount",
	"Secret", "SecretList", "ConfigMap", "StorageClass", "PersistentVolume", "PersistentVolumeClaim", "CustomResourceDefinition",
	"ClusterRole", "ClusterRoleList", "ClusterRoleBinding", "ClusterRoleBindingList", "Role", "RoleList", "RoleBinding", "RoleBindingList",
	"Service", "DaemonSet", "Pod", "ReplicationController", "ReplicaSet", "Deployment", "HorizontalPodAutoscaler", "StatefulSet", "Job", "CronJob",
	"IngressClass", "Ingress", "APIService", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration",
}

// hookAnnotation makes a hook of an object.
const hookAnnotation = "helm.sh/hook"

// events are those that Helm knows, with the name that helm gives them
// (pkg/releaseutil/manifest_sorter.go).
var events = map[string]string{
	"pre-install": "pre-install", "post-install": "post-install", "pre-delete": "pre-delete", "post-delete": "post-delete",
	"pre-upgrade": "pre-upgrade", "post-upgrade": "post-upgrade", "pre-rollback": "pre-rollback", "post-rollback": "post-rollback",
	"test": "test", "test-success": "test",
}

// Hook is an object that Helm makes at an event of the release, and that is no part
// of its manifest.
type Hook struct {
	Kind, Name string
	// Events are those at which it is made, such as pre-upgrade; none if it has
	// one that Helm does not know, so that Helm passes it over.
	Events []string
	Weight int
}

// Arrange parts the objects that Helm applies, in its order, from the hooks, by
// weight, name and kind (manifest_sorter.go SortManifests, pkg/action/hooks.go).
func Arrange(objects []*manifest.Object) (rest []*manifest.Object, hooks []Hook) {
	for _, o := range objects {
		if types, is := hookTypes(o); is {
			hooks = append(hooks, hookOf(o, types))
		} else {
			rest = append(rest, o)
		}
	}
	slices.SortStableFunc(rest, func(a, b *manifest.Object) int { return compareKinds(a.Kind.Kind, b.Kind.Kind) })
	slices.SortStableFunc(hooks, func(a, b Hook) int {
		return cmp.Or(cmp.Compare(a.Weight, b.Weight), cmp.Compare(a.Name, b.Name), compareKinds(a.Kind, b.Kind))
	})
	return rest, hooks
}

// IsHook reports whether Helm takes an object for a hook.
func IsHook(o *manifest.Object) bool {
	_, is := hookTypes(o)
	return is
}

func hookTypes(o *manifest.Object) (types string, is bool) {
	text, _ := tree.Get(o.Tree, "metadata", "annotations", hookAnnotation)
	types, is = text.(string)
	return types, is
}

func hookOf(o *manifest.Object, types string) Hook {
	weight, err := strconv.Atoi(tree.String(o.Tree, "metadata", "annotations", "helm.sh/hook-weight"))
	if err != nil {
		weight = 0
	}
	h := Hook{Kind: o.Kind.Kind, Name: o.Name, Weight: weight}
	for _, name := range strings.Split(types, ",") {
		event := events[strings.ToLower(strings.TrimSpace(name))]
		if event == "" {
			return Hook{Kind: h.Kind, Name: h.Name, Weight: weight}
		}
		h.Events = append(h.Events, event)
	}
	return h
}

func compareKinds(a, b string) int {
	first, second := slices.Index(installOrder, a), slices.Index(installOrder, b)
	switch {
	case first < 0 && second < 0:
		return cmp.Compare(a, b)
	case first < 0:
		return 1
	case second < 0:
		return -1
	}
	return cmp.Compare(first, second)
}
