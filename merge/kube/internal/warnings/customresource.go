package warnings

import (
	"slices"
	"strings"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// CustomResource warns of new finalizers without a domain and a path; which ones
// cannot be finalizers, validation has said before.
//
// Source: generateWarningsFromObj and validateKubeFinalizerName of
// k8s.io/apiextensions-apiserver/pkg/registry/customresource.
func CustomResource(w *texts, r Request) {
	before := tree.List(r.Old, "metadata", "finalizers")
	var added []string
	for _, f := range tree.List(r.Object, "metadata", "finalizers") {
		if !slices.Contains(before, f) {
			added = append(added, tree.String(f))
		}
	}
	slices.Sort(added)
	for _, name := range added {
		if strings.Contains(name, "/") || name == "orphan" || name == "foregroundDeletion" || name == "kubernetes" {
			continue
		}
		path := ""
		if strings.Contains(name, ".") && minors.WarnFinalizerPaths.In(r.Minor) {
			path = " including a path (/)"
		}
		w.say("metadata.finalizers", "metadata.finalizers: %q: prefer a domain-qualified finalizer name%s to avoid accidental conflicts with other finalizer writers", name, path)
	}
}
