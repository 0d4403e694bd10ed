package argocd

import (
	"fmt"
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// The marks of Argo CD (common/common.go).
const (
	trackingID     = "argocd.argoproj.io/tracking-id"
	installationID = "argocd.argoproj.io/installation-id"
)

// Tracking is how Argo CD finds the objects of an Application again
// (util/argo/resource_tracking.go).
type Tracking struct {
	method, label, installation string
	// instance is the Application's name in the marks.
	instance string
}

// Marks are the labels and annotations that Argo CD gives to an object; a definition
// gets none (reposerver/repository/repository.go GenerateManifests).
func (t Tracking) Marks(kind schema.Kind, namespace, name string) (labels, annotations map[string]string) {
	if kind.GroupKind() == "CustomResourceDefinition.apiextensions.k8s.io" {
		return nil, nil
	}
	labels, annotations = map[string]string{}, map[string]string{}
	if t.method == "label" || t.method == "annotation+label" {
		labels[t.label] = t.instance
	}
	if t.method == "annotation+label" {
		labels[t.label] = shortened(t.instance)
	}
	if t.method != "label" {
		annotations[trackingID] = fmt.Sprintf("%s:%s/%s:%s/%s", t.instance, kind.Group, kind.Kind, namespace, name)
		if t.installation != "" {
			annotations[installationID] = t.installation
		}
	}
	return labels, annotations
}

// shortened fits a name into a label (TruncateLabel).
func shortened(name string) string {
	if len(name) <= 63 {
		return name
	}
	return strings.TrimRight(name[:63], "-_.")
}

// Owns reports whether the marks of a live object say that the Application made it, and
// not that it was copied from one that it made (controller/state.go
// isSelfReferencedObj).
func (t Tracking) Owns(e *manifest.Entry) bool {
	if t.method == "label" {
		return e.Label(t.label) == t.instance
	}
	annotations := tree.Map(e.Object().Tree, "metadata", "annotations")
	if tree.String(annotations, installationID) != t.installation {
		return false
	}
	parts := strings.SplitN(tree.String(annotations, trackingID), ":", 3)
	if len(parts) != 3 || parts[0] != t.instance {
		return false
	}
	namespace, name, _ := strings.Cut(parts[2], "/")
	return parts[1] == e.Kind.Group+"/"+e.Kind.Kind && name == e.Name && (e.Namespace == "" || e.Namespace == namespace)
}

// Normalize takes the label of the label method out of a live object that was tracked
// so before, and gives it the annotation that the target has if it has none, in place
// (resource_tracking.go Normalize).
func (t Tracking) Normalize(target, live tree.Object) {
	if t.method == "label" || tree.String(live, "metadata", "labels", t.label) == "" || tree.String(live, "kind") == "CustomResourceDefinition" {
		return
	}
	if tree.String(live, "metadata", "annotations", trackingID) == "" {
		tree.Set(live, tree.String(target, "metadata", "annotations", trackingID), "metadata", "annotations", trackingID)
	}
	if tree.String(target, "metadata", "labels", t.label) == "" {
		tree.Delete(live, "metadata", "labels", t.label)
		if labels := tree.Map(live, "metadata", "labels"); labels != nil && len(labels) == 0 {
			tree.Delete(live, "metadata", "labels")
		}
	}
}
