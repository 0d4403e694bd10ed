package explain

import (
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/rehearsal"
)

// bookkeeping reports whether a live field that no manifest sets is the cluster's
// own: no manager owns it, or the controllers of Kubernetes do, in the metadata.
// Without managedFields it is one that the server allocates, or an annotation in
// which a controller takes notes.
func (m *managers) bookkeeping(path fieldpath.Path) bool {
	last := path[len(path)-1].Field
	if len(m.all()) == 0 {
		annotation := len(path) == 3 && path[0].Field == "metadata" && path[1].Field == "annotations"
		return annotation && rehearsal.ControllersNote(last) || m.object != nil && path[0].Field == "spec" && (rehearsal.Chosen(last) || strings.HasPrefix(last, "ipFamil"))
	}
	for _, e := range m.all() {
		if e.Owns(path) && (path[0].Field != "metadata" || !slices.Contains(controllers, e.Manager)) {
			return false
		}
	}
	return true
}

// controllers are the managers that Kubernetes itself brings along.
var controllers = []string{"kube-controller-manager", "kube-apiserver", "kube-scheduler"}
