package workflow

import (
	"maps"
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// cleanMetadata leaves name, namespace, labels and annotations, without those
// that the server and its controllers keep. What was last applied stays.
func cleanMetadata(obj, last tree.Object) {
	metadata := tree.Map(obj, "metadata")
	for key := range metadata {
		switch key {
		case "name", "namespace", "labels", "annotations":
		default:
			if !tree.Has(last, "metadata", key) || rehearsal.ServerOwned(fieldpath.New("metadata", key)) {
				delete(metadata, key)
			}
		}
	}
	annotations := tree.Map(metadata, "annotations")
	for key := range annotations {
		if key == rehearsal.LastAppliedKey || rehearsal.ControllersNote(key) && !tree.Has(last, "metadata", "annotations", key) {
			delete(annotations, key)
		}
	}
	labels := tree.Map(metadata, "labels")
	if obj["kind"] == "Namespace" {
		delete(labels, "kubernetes.io/metadata.name")
	}
	for _, key := range []string{"annotations", "labels"} {
		if v, ok := metadata[key]; ok && tree.Empty(v) {
			delete(metadata, key)
		}
	}
}

// filledBySystem lists the fields of a live object that the cluster chose, and
// would choose again for a new one.
func filledBySystem(live *manifest.Object) [][]string {
	switch live.Kind.GroupKind() {
	case "Service":
		paths := [][]string{{"spec", "ipFamilies"}}
		if tree.String(live.Tree, "spec", "ipFamilyPolicy") == "SingleStack" {
			paths = append(paths, []string{"spec", "ipFamilyPolicy"})
		}
		if ip := tree.String(live.Tree, "spec", "clusterIP"); ip != "None" {
			paths = append(paths, []string{"spec", "clusterIP"}, []string{"spec", "clusterIPs"})
		}
		return paths
	case "PersistentVolumeClaim":
		return [][]string{{"spec", "volumeName"}}
	case "Namespace":
		return [][]string{{"spec"}}
	case "Pod":
		return filledInPod(live.Tree)
	case "Job.batch":
		if tree.Bool(live.Tree, "spec", "manualSelector") {
			return nil
		}
		paths := [][]string{{"spec", "selector"}}
		for _, label := range []string{"controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name"} {
			paths = append(paths, []string{"spec", "template", "metadata", "labels", label}, []string{"metadata", "labels", label})
		}
		return paths
	case "ClusterRole.rbac.authorization.k8s.io":
		if tree.Has(live.Tree, "aggregationRule") {
			return [][]string{{"rules"}}
		}
	}
	return nil
}

// defaults takes out of an object what the server would fill in again.
type defaults struct {
	obj      tree.Object
	want     tree.Object // the object, filled in
	complete func(tree.Object) tree.Object
	// lists says that items are filled in too. A list of a custom resource is
	// compared as a whole: without its defaults every apply would send it.
	lists bool
}

// drop tries to do without a field, then without parts of it. What was last
// applied stays: to leave it out would be a change.
func (d *defaults) drop(parent map[string]any, key string, last any) {
	value, ok := parent[key]
	if !ok || key == "emptyDir" && tree.Empty(value) {
		return // a volume that says nothing else is sent with every apply
	}
	if _, named := tree.Get(last, key); !named {
		delete(parent, key)
		if got := d.complete(d.obj); got != nil && tree.Equal(got, d.want) {
			return
		}
		parent[key] = value
	}
	below, _ := tree.Get(last, key)
	d.inside(value, below)
}

func (d *defaults) inside(value, last any) {
	switch v := value.(type) {
	case map[string]any:
		if v["openAPIV3Schema"] != nil {
			return // has no defaults that another object lacks, and thousands of fields
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			d.drop(v, key, last)
		}
	case []any:
		for _, item := range v {
			if !d.lists {
				break
			}
			// Which item last-applied means is not known by its place, and
			// need not be: an item is filled in anew.
			d.inside(item, nil)
		}
	}
}
