package flux

import (
	"encoding/base64"
	"maps"
	"slices"

	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// minor is the one whose Go types kustomize-controller is linked with.
const minor = 36

// Manifest is a manifest as Flux sends it: with the labels of the Kustomization, put
// through the Go type of its kind if client-go has one, and with the common metadata
// (ssa/manager.go SetOwnerLabels, ssa/normalize/normalize.go, ssa/utils/meta.go
// SetCommonMetadata).
func (k *Kustomization) Manifest(o tree.Object, kind schema.Kind) tree.Object {
	out := tree.CopyObject(o)
	for _, field := range []string{"labels", "annotations"} {
		if v, is := tree.Get(out, "metadata", field); is && v == nil {
			tree.Delete(out, "metadata", field) // as the build of kustomize drops them
		}
	}
	mark(out, "labels", map[string]string{Group + "/name": k.Name, Group + "/namespace": k.Namespace})
	out = normal(out, kind)
	if k.Labels != nil {
		mark(out, "labels", k.Labels)
	}
	if k.Annotations != nil {
		mark(out, "annotations", k.Annotations)
	}
	return out
}

// mark sets labels or annotations. Those that are there and are no text are lost, all of
// them (apimachinery pkg/apis/meta/v1/unstructured GetLabels).
func mark(o tree.Object, field string, marks map[string]string) {
	all := tree.Object{}
	for key, v := range tree.Map(o, "metadata", field) {
		text, isText := v.(string)
		if !isText && v != nil {
			clear(all)
			break
		}
		all[key] = text
	}
	for _, key := range slices.Sorted(maps.Keys(marks)) {
		all[key] = marks[key]
	}
	if len(all) > 0 {
		tree.Set(o, all, "metadata", field)
	}
}

// normal is an object as its Go type prints it, with the default of some fields that the
// server merges by, and without status. Roles stay as they are, and kinds that client-go
// does not have.
func normal(o tree.Object, k schema.Kind) tree.Object {
	if k.Group == "rbac.authorization.k8s.io" && k.Version == "v1" && (k.Kind == "Role" || k.Kind == "ClusterRole") {
		return o
	}
	if k.Group != "apiextensions.k8s.io" && k.Group != "apiregistration.k8s.io" {
		if typed, _, ok := kube.Typed(o, k, minor); ok {
			o = typed
			addDefaults(o, k)
		}
	}
	if k.GroupKind() != "CustomResourceDefinition.apiextensions.k8s.io" {
		delete(o, "status")
	}
	return o
}

// podSpecs are where the kinds that Flux knows have their Pod.
var podSpecs = map[schema.Kind][]string{
	{Version: "v1", Kind: "Pod"}:                        {"spec"},
	{Group: "apps", Version: "v1", Kind: "Deployment"}:  {"spec", "template", "spec"},
	{Group: "apps", Version: "v1", Kind: "StatefulSet"}: {"spec", "template", "spec"},
	{Group: "apps", Version: "v1", Kind: "DaemonSet"}:   {"spec", "template", "spec"},
	{Group: "apps", Version: "v1", Kind: "ReplicaSet"}:  {"spec", "template", "spec"},
	{Group: "batch", Version: "v1", Kind: "Job"}:        {"spec", "template", "spec"},
	{Group: "batch", Version: "v1", Kind: "CronJob"}:    {"spec", "jobTemplate", "spec", "template", "spec"},
}

// addDefaults sets the protocol of ports, and makes data of stringData.
func addDefaults(o tree.Object, k schema.Kind) {
	for _, container := range tree.List(o, append(slices.Clone(podSpecs[k]), "containers")...) {
		if podSpecs[k] != nil {
			setProtocol(tree.List(container, "ports"))
		}
	}
	switch k {
	case schema.Kind{Version: "v1", Kind: "Service"}:
		setProtocol(tree.List(o, "spec", "ports"))
	case schema.Kind{Version: "v1", Kind: "Secret"}:
		dataOf(o)
	}
}

func setProtocol(ports []any) {
	for _, port := range ports {
		if m, ok := port.(map[string]any); ok && tree.String(m, "protocol") == "" {
			m["protocol"] = "TCP"
		}
	}
}

// dataOf moves the stringData of a Secret into its data.
func dataOf(o tree.Object) {
	plain := tree.Map(o, "stringData")
	if len(plain) == 0 {
		return
	}
	for key, v := range plain {
		text, _ := v.(string)
		tree.Set(o, base64.StdEncoding.EncodeToString([]byte(text)), "data", key)
	}
	delete(o, "stringData")
}
