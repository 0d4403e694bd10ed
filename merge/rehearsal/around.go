package rehearsal

import (
	"slices"

	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// around is the kube.World of a run: the snapshot, and what the set has made so far.
type around struct {
	*Run
	services func() map[[2]string]bool // of the set, by namespace and name
}

func (a around) Objects(groupKind string) []tree.Object { return a.Catalog.Objects(groupKind) }

func (a around) ObjectsIn(groupKind, namespace string) []tree.Object {
	return a.Catalog.objectsIn(groupKind, namespace)
}

func (a around) Made(groupKind string) []tree.Object { return a.made[groupKind] }

func (a around) Namespace(name string) (namespace tree.Object, known bool) {
	return a.NamespaceOf(name)
}

func (a around) Serves(k schema.Kind) (served, namespaced, known bool) {
	served, known = a.Catalog.Serves(k)
	namespaced, _ = a.Catalog.Scope(k)
	return served, namespaced, known
}

func (a around) Plural(k schema.Kind) string { return a.Catalog.Plural(k) }

func (a around) Adds(namespace, service string) bool {
	return a.services()[[2]string{namespace, service}]
}

func (a around) GivesTokens() bool {
	type mounted bool
	return bool(manifest.Learned(a.Live, func() mounted {
		return mounted(slices.ContainsFunc(a.Live.EntriesOfKind("Pod"), func(e *manifest.Entry) bool { return kube.MountsToken(e.Once().Tree) }))
	}))
}

func (a around) Complete() bool { return a.Catalog.Complete() }

func (a around) Empty() bool { return a.EmptyCluster }

func (a around) Assumed() bool { return a.Options.Assumed }

// ownServices are the Services of the set.
func (r *Run) ownServices() map[[2]string]bool {
	found := map[[2]string]bool{}
	for _, o := range r.Manifests.Objects {
		if o.Kind.GroupKind() == "Service" {
			found[[2]string{o.Namespace, o.Name}] = true
		}
	}
	return found
}
