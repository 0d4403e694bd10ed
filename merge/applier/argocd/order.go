package argocd

import (
	"cmp"
	"slices"
	"strconv"

	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// kindOrder are the kinds in the order in which Argo CD applies them within a wave; all
// others come last (gitops-engine/pkg/sync/sync_tasks.go).
var kindOrder = []string{
	"Namespace", "NetworkPolicy", "ResourceQuota", "LimitRange", "PodSecurityPolicy", "PodDisruptionBudget", "ServiceAccount",
	"Secret", "SecretList", "ConfigMap", "StorageClass", "PersistentVolume", "PersistentVolumeClaim", "CustomResourceDefinition",
	"ClusterRole", "ClusterRoleList", "ClusterRoleBinding", "ClusterRoleBindingList", "Role", "RoleList", "RoleBinding", "RoleBindingList",
	"Service", "DaemonSet", "Pod", "ReplicationController", "ReplicaSet", "Deployment", "HorizontalPodAutoscaler", "StatefulSet", "Job", "CronJob",
	"IngressClass", "Ingress", "APIService",
}

// CompareKinds is the order of two objects of one wave, by kind and name.
func CompareKinds(kindA, nameA, kindB, nameB string) int {
	place := func(kind string) int {
		if i := slices.Index(kindOrder, kind); i >= 0 {
			return i
		}
		return len(kindOrder)
	}
	return cmp.Or(cmp.Compare(place(kindA), place(kindB)), cmp.Compare(nameA, nameB))
}

// Wave is that of an object (gitops-engine/pkg/sync/syncwaves/waves.go).
func Wave(o tree.Object) int {
	for _, annotation := range []string{waveAnnotation, "helm.sh/hook-weight"} {
		if wave, err := strconv.Atoi(tree.String(o, "metadata", "annotations", annotation)); err == nil {
			return wave
		}
	}
	return 0
}

// Step is an object that a sync applies, and its wave.
type Step struct {
	Object *manifest.Object
	Wave   int
}

// Steps puts objects into the order of a sync: by wave, kind and name, but a Namespace
// or a definition before the first object that needs it, in whose wave it is then
// (sync_tasks.go Sort, adjustDeps).
func Steps(objects []*manifest.Object, destination string) []Step {
	steps := make([]Step, len(objects))
	for i, o := range objects {
		steps[i] = Step{o, Wave(o.Tree)}
	}
	slices.SortStableFunc(steps, func(a, b Step) int {
		return cmp.Or(cmp.Compare(a.Wave, b.Wave), CompareKinds(a.Object.Kind.Kind, a.Object.Name, b.Object.Kind.Kind, b.Object.Name))
	})
	pull(steps, func(o *manifest.Object) (string, bool) { return o.Name, o.Kind.GroupKind() == "Namespace" },
		func(o *manifest.Object) string { return cmp.Or(o.Namespace, destination) })
	pull(steps, defines, func(o *manifest.Object) string { return o.Kind.Group + "/" + o.Kind.Kind })
	return steps
}

// defines is the group and kind that a definition defines.
func defines(o *manifest.Object) (string, bool) {
	return tree.String(o.Tree, "spec", "group") + "/" + tree.String(o.Tree, "spec", "names", "kind"),
		o.Kind.GroupKind() == "CustomResourceDefinition.apiextensions.k8s.io"
}

// pull moves each step that others need to before the first of them.
func pull(steps []Step, provides func(*manifest.Object) (string, bool), needs func(*manifest.Object) string) {
	first := map[string]int{}
	for i, step := range steps {
		key, isNeeded := provides(step.Object)
		if !isNeeded {
			if key = needs(step.Object); key != "" {
				if _, known := first[key]; !known {
					first[key] = i
				}
			}
			continue
		}
		at, known := first[key]
		if !known {
			continue
		}
		step.Wave = steps[at].Wave
		copy(steps[at+1:i+1], steps[at:i])
		steps[at] = step
		for name, place := range first {
			if place >= at {
				first[name] = place + 1
			}
		}
	}
}

// Hook is an object that Argo CD makes in phases of the sync, and that is no part of
// what it compares.
type Hook struct {
	Kind, Name string
	// Phases are those in which it is made; none if it has one that Argo CD does not
	// know, so that it is never made.
	Phases []string
	Wave   int
}

// helmPhases are the phases of Helm's events; at others Argo CD does nothing
// (gitops-engine/pkg/sync/hook/helm/type.go).
var helmPhases = map[string]string{"pre-install": "PreSync", "pre-upgrade": "PreSync", "post-upgrade": "PostSync", "post-install": "PostSync"}

// Part divides objects into those that a sync applies, the hooks, and those that it is
// told to skip (gitops-engine/pkg/sync/hook/hook.go).
func Part(objects []*manifest.Object) (rest []*manifest.Object, hooks []Hook, skipped []*manifest.Object) {
	for _, o := range objects {
		types := commaSeparated(o.Tree, hookAnnotation)
		switch {
		case slices.Equal(types, []string{"Skip"}):
			skipped = append(skipped, o)
		case IsHook(o.Tree):
			hooks = append(hooks, hookOf(o, types))
		default:
			rest = append(rest, o)
		}
	}
	slices.SortStableFunc(hooks, func(a, b Hook) int {
		return cmp.Or(cmp.Compare(a.Wave, b.Wave), CompareKinds(a.Kind, a.Name, b.Kind, b.Name))
	})
	return rest, hooks, skipped
}

// Phases are the hooks in the order in which a sync makes them: Job migrate (PreSync).
func Phases(hooks []Hook) (list []string) {
	for _, phase := range []string{"PreSync", "Sync", "PostSync", "SyncFail"} {
		for _, h := range hooks {
			if slices.Contains(h.Phases, phase) {
				list = append(list, h.Kind+" "+h.Name+" ("+phase+")")
			}
		}
	}
	return list
}

// IsHook reports whether an object is a hook of Argo CD or of Helm, or one to skip.
func IsHook(o tree.Object) bool {
	helm, isHelm := tree.Get(o, "metadata", "annotations", "helm.sh/hook")
	_, isArgo := tree.Get(o, "metadata", "annotations", hookAnnotation)
	return isArgo || isHelm && helm != "crd-install"
}

func hookOf(o *manifest.Object, types []string) Hook {
	h := Hook{Kind: o.Kind.Kind, Name: cmp.Or(o.Name, tree.String(o.Tree, "metadata", "generateName")), Wave: Wave(o.Tree)}
	if !slices.ContainsFunc(types, known) {
		types = nil
		for _, event := range commaSeparated(o.Tree, "helm.sh/hook") {
			if phase := helmPhases[event]; phase != "" && !slices.Contains(types, phase) {
				types = append(types, phase)
			}
		}
	}
	for _, t := range types {
		if known(t) {
			h.Phases = append(h.Phases, t)
		}
	}
	return h
}

// known reports whether a hook type is one of Argo CD's; PreDelete and PostDelete are
// made when the Application is deleted.
func known(hookType string) bool {
	return slices.Contains([]string{"PreSync", "Sync", "PostSync", "SyncFail", "PreDelete", "PostDelete"}, hookType)
}
