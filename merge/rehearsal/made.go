package rehearsal

import (
	"slices"

	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// affecting are the kinds of objects that decide what the server makes of others:
// where those are created, and the defaults that admission gives them. Definitions
// do too, of which the set has objects, and Services that ask for the same.
var affecting = []string{
	"IngressClass.networking.k8s.io",
	"LimitRange",
	"Namespace",
	"PriorityClass.scheduling.k8s.io",
	"RuntimeClass.node.k8s.io",
	"StorageClass.storage.k8s.io",
}

// AffectsOthers reports whether objects of the set depend on one. Only Pods depend on a
// ServiceAccount.
func (r *Run) AffectsOthers(o *manifest.Object) bool {
	kind := o.Kind.GroupKind()
	return slices.Contains(affecting, kind) || r.Pods && kind == "ServiceAccount" || kind == "Service" && r.rivals[[2]string{o.Namespace, o.Name}] || r.redefines(o) ||
		(r.Server.Grants(o.Kind) || r.Server.Parametrizes(o.Kind)) && !r.DryRun
}

// redefines reports whether a manifest changes the definition of other objects of the
// set: a server answers by the new one within milliseconds, a dry run by the old one.
func (r *Run) redefines(o *manifest.Object) bool {
	if o.Kind.GroupKind() != DefinitionKind || r.DryRun {
		return false
	}
	kind := defines(o.Tree).GroupKind()
	return r.custom[kind] && r.Catalog.served[kind] != nil
}

// Record remembers what an apply makes of an object of these kinds.
func (r *Run) Record(o *Outcome) {
	if r.Server.Grants(o.Kind) {
		r.Server.Roles().Put(o.Result)
		return
	}
	kind := o.Kind.GroupKind()
	r.made[kind] = append(r.made[kind], o.Result)
	switch kind {
	case "Namespace":
		r.namespaces[tree.String(o.Result, "metadata", "name")] = o.Result
	case DefinitionKind:
		r.Catalog.define(r.redefined, o.Result)
	}
}

// NamespaceOf finds a namespace as it is when the next object is applied: an apply
// has stored what it has made of it before, a diff has not. A dump that has
// kube-system, which every cluster has, has all of them; a base has those of its manifests.
func (r *Run) NamespaceOf(name string) (namespace tree.Object, known bool) {
	find := func(name string) *manifest.Object {
		return r.Live.Find(manifest.Identity{Kind: "Namespace", Name: name})
	}
	namespace = r.namespaces[name]
	if o := find(name); o != nil && (r.Diff || namespace == nil) {
		return o.Tree, true
	}
	id := manifest.Identity{Kind: "Namespace", Name: name}
	return namespace, namespace != nil || find("kube-system") != nil && !r.Assumed && !id.InEveryCluster()
}

// Planned is one object of a set.
type Planned struct {
	Manifest *manifest.Object
	// Outcome is found when it is first asked for, unless Options.Only chooses
	// the object. It may be called from several goroutines.
	Outcome func() *Outcome
}

// Expect prepares the run for the objects of a set, in their order: the
// ResourceQuotas of their namespaces count what they use.
func (r *Run) Expect(set []*manifest.Object) {
	r.custom = map[string]bool{}
	services := map[[2]string]tree.Object{}
	for _, o := range set {
		if o.Kind.GroupKind() == "Service" {
			services[[2]string{o.Namespace, o.Name}] = o.Tree
		}
		r.Pods = r.Pods || o.Kind.GroupKind() == "Pod"
		if !builtin(o.Kind) {
			r.custom[o.Kind.GroupKind()] = true
		}
	}
	if !r.DryRun { // which stores nothing
		r.rivals = r.Server.Rivals(services)
	}
	r.quotas = r.Server.Quotas(r.quotasOf(set))
}
