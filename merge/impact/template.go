package impact

import (
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// hashLabel is the label by which a Deployment tells its ReplicaSets apart.
const hashLabel = "pod-template-hash"

// sameTemplate reports whether a Deployment finds its new pod template equal to
// the old one: quantities by value, no list and an empty one alike, without the
// label of the hash (pkg/controller/deployment/util/deployment_util.go
// EqualIgnoreHash).
func sameTemplate(before, after tree.Object) bool {
	return kube.Equal(withoutHash(before), withoutHash(after), schema.TypeNamed("core/v1.PodTemplateSpec"), false)
}

func withoutHash(template tree.Object) tree.Object {
	if !tree.Has(template, "metadata", "labels", hashLabel) {
		return template
	}
	template = tree.CopyObject(template)
	tree.Delete(template, "metadata", "labels", hashLabel)
	return template
}

// sameRevision reports whether a StatefulSet or DaemonSet stores the same
// ControllerRevision of two templates: they must be the same to the letter
// (pkg/controller/history EqualRevision, pkg/controller/daemon/update.go Match).
func sameRevision(before, after tree.Object) bool {
	return tree.Equal(encoded(before), encoded(after))
}

// encoded is a template without the null that servers before 1.34 write for the
// time of its creation.
func encoded(template tree.Object) tree.Object {
	if v, ok := tree.Get(template, "metadata", "creationTimestamp"); !ok || v != nil {
		return template
	}
	template = tree.CopyObject(template)
	tree.Delete(template, "metadata", "creationTimestamp")
	return template
}
