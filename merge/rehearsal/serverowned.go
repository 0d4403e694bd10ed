package rehearsal

import (
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/tree"
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

// differ reports whether an object has what another state of it does not, besides what only the
// server writes.
func differ(a, b tree.Object, at fieldpath.Path) bool {
	for key, v := range a {
		at := at.Child(key)
		x, below := v.(tree.Object)
		if !ServerOwned(at) && !tree.Equal(v, b[key]) && (!below || len(at) > 2 || differ(x, tree.Map(b[key]), at)) {
			return true
		}
	}
	return false
}

// Chosen reports whether the server or a controller gives a field a value of its own choice: an address or
// a port of a Service (pkg/registry/core/service/storage/alloc.go), the volume of a claim.
func Chosen(field string) bool {
	switch field {
	case "clusterIP", "clusterIPs", "nodePort", "healthCheckNodePort", "volumeName":
		return true
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

// Removed lists the fields that have an owner before and do not exist after,
// each with all that goes with it.
func Removed(before, after tree.Object) (paths []fieldpath.Path) {
	var at fieldpath.Finder
	known := map[string]bool{}
	for _, f := range owners.Of(before, nil) {
		if _, is := at.Find(f.Path, before); !is || ServerOwned(f.Path) {
			continue
		}
		for n := range f.Path {
			p := f.Path[:n+1]
			if _, left := at.Find(p, after); left {
				continue
			}
			if text := p.String(); !known[text] {
				known[text], paths = true, append(paths, p)
			}
			break
		}
	}
	return paths
}
