package flux

import (
	"cmp"
	"slices"
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// The order of the kinds in a stage; those in neither list come between, by group and
// name (ssa/sort.go ReconcileOrder).
var (
	first = []string{
		"CustomResourceDefinition", "Namespace", "ClusterRole", "ClusterClass", "RuntimeClass", "PriorityClass", "StorageClass", "VolumeSnapshotClass",
		"IngressClass", "GatewayClass", "ClusterRoleBinding", "ResourceQuota", "ServiceAccount", "Role", "RoleBinding", "ConfigMap", "Secret", "Service",
		"LimitRange", "Deployment", "StatefulSet", "CronJob", "PodDisruptionBudget",
	}
	last = []string{"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}
)

// Stage is when an object is applied: definitions, Namespaces and ClusterRoles first, then
// classes, then the rest. Flux waits until a stage is ready (ssa/manager_apply.go
// ApplyAllStaged).
func Stage(k schema.Kind) int {
	switch kind := strings.ToLower(k.Kind); {
	case kind == "customresourcedefinition" && k.Group == "apiextensions.k8s.io",
		kind == "namespace" && k.APIVersion() == "v1",
		kind == "clusterrole" && k.Group == "rbac.authorization.k8s.io":
		return 0
	case strings.HasSuffix(k.Kind, "Class"):
		return 1
	}
	return 2
}

// Compare is the order of two objects in a stage, and, backwards, of two deletions.
func Compare(a, b manifest.Identity) int {
	return cmp.Or(cmp.Compare(rank(a.Kind), rank(b.Kind)), cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

func rank(kind string) int {
	if i := slices.Index(first, kind); i >= 0 {
		return i - len(first)
	}
	return 1 + slices.Index(last, kind)
}

// Arrange puts the objects of a Kustomization into the order in which Flux applies them,
// each in its target namespace, and takes out those that it skips without a look at the
// cluster.
func (k *Kustomization) Arrange(objects []*manifest.Object) (rest, skipped []*manifest.Object) {
	if k.TargetNamespace != "" {
		objects = moved(objects, k.TargetNamespace)
	}
	for _, o := range objects {
		if Skipped(o.Tree, nil) == "" {
			rest = append(rest, o)
		} else {
			skipped = append(skipped, o)
		}
	}
	slices.SortStableFunc(rest, func(a, b *manifest.Object) int {
		return cmp.Or(cmp.Compare(Stage(a.Kind), Stage(b.Kind)), Compare(a.ID(), b.ID()))
	})
	return rest, skipped
}

// moved are the objects in another namespace, as the namespace transformer of kustomize
// leaves them: it takes kinds that it does not know for namespaced, and the server drops
// the namespace of those that are not (kustomize api/filters/namespace,
// builtinpluginconsts/namespace.go).
func moved(objects []*manifest.Object, namespace string) []*manifest.Object {
	accounts := map[manifest.Identity]bool{}
	for _, o := range objects {
		if o.Kind.GroupKind() == "ServiceAccount" {
			accounts[o.ID()] = true
		}
	}
	list := make([]*manifest.Object, len(objects))
	for i, o := range objects {
		to := *o
		to.Tree = tree.CopyObject(o.Tree)
		switch {
		case o.Kind.GroupKind() == "Namespace":
			to.Name = namespace
			tree.Set(to.Tree, namespace, "metadata", "name")
		case namespaced(o.Kind):
			to.Namespace, to.Placed = namespace, false
			tree.Set(to.Tree, namespace, "metadata", "namespace")
		}
		for _, subject := range tree.List(to.Tree, "subjects") {
			name := tree.String(subject, "name")
			from := manifest.Identity{Kind: "ServiceAccount", Namespace: tree.String(subject, "namespace"), Name: name}
			if tree.String(subject, "kind") == "ServiceAccount" && (name == "default" || accounts[from]) {
				subject.(map[string]any)["namespace"] = namespace
			}
		}
		list[i] = &to
	}
	return list
}

func namespaced(k schema.Kind) bool {
	r, known := schema.Builtin(k)
	return !known || r.Namespaced
}
