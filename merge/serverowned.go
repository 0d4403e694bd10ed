package merge

import (
	"strings"

	"threeway/merge/fieldpath"
)

// ServerOwned reports whether only the server writes a field: no manifest does.
func ServerOwned(p fieldpath.Path) bool {
	switch p[0].Field {
	case "status":
		return true
	case "apiVersion", "kind":
		return len(p) == 1
	}
	if p[0].Field != "metadata" || len(p) < 2 {
		return false
	}
	switch p[1].Field {
	case "managedFields", "resourceVersion", "uid", "creationTimestamp", "generation", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds":
		return true
	case "annotations":
		return len(p) == 3 && p[2].Field == LastAppliedKey
	}
	return false
}

// ControllersNote reports whether a controller of Kubernetes takes notes in the
// annotation.
func ControllersNote(annotation string) bool {
	switch annotation {
	case "deployment.kubernetes.io/revision", "deprecated.daemonset.template.generation", "control-plane.alpha.kubernetes.io/leader", "endpoints.kubernetes.io/last-change-trigger-time":
		return true
	}
	return strings.HasPrefix(annotation, "pv.kubernetes.io/") || strings.HasPrefix(annotation, "volume.kubernetes.io/storage-") || strings.HasPrefix(annotation, "volume.beta.kubernetes.io/storage-provisioner")
}
