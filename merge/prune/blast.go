package prune

import (
	"maps"
	"slices"

	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// Taken is an object that goes with a pruned one.
type Taken struct {
	Object *manifest.Object
	Why    string
}

// weigh fills in what each pruned object takes with it.
func (r *Result) weigh(live *manifest.Snapshot) {
	var owned map[string][]*manifest.Object
	gone := map[string]bool{}
	for _, c := range r.Pruned() {
		gone[uid(c.Object)] = true
	}
	for i := range r.Candidates {
		c := &r.Candidates[i]
		if c.Fate != Pruned {
			continue
		}
		if owned == nil {
			owned = owners(live)
		}
		w := weighing{live: live, owned: owned, gone: maps.Clone(gone), seen: map[*manifest.Object]bool{c.Object: true}}
		w.object(c.Object)
		c.Takes = w.takes
	}
}

// owners indexes the live objects by the uid of each of their owners.
func owners(live *manifest.Snapshot) map[string][]*manifest.Object {
	m := map[string][]*manifest.Object{}
	for _, o := range live.Objects {
		for _, ref := range tree.List(o.Tree, "metadata", "ownerReferences") {
			if id := tree.String(ref, "uid"); id != "" {
				m[id] = append(m[id], o)
			}
		}
	}
	return m
}

type weighing struct {
	live  *manifest.Snapshot
	owned map[string][]*manifest.Object
	gone  map[string]bool // uids of what is deleted
	seen  map[*manifest.Object]bool
	takes []Taken
}

// object adds what the deletion of o takes with it, and what that takes.
func (w *weighing) object(o *manifest.Object) {
	if id := uid(o); id != "" {
		for _, child := range w.owned[id] {
			if w.hasOwnerLeft(child) {
				continue
			}
			w.take(child, "owned by "+o.ID().String())
		}
	}
	switch o.Kind.GroupKind() {
	case "Namespace":
		for _, x := range w.live.Objects {
			if x.Namespace == o.Name {
				w.take(x, "in namespace "+o.Name)
			}
		}
	case "PersistentVolumeClaim":
		w.volume(o)
	case "CustomResourceDefinition.apiextensions.k8s.io":
		group, kind := tree.String(o.Tree, "spec", "group"), tree.String(o.Tree, "spec", "names", "kind")
		for _, x := range w.live.Objects {
			if x.Kind.Group == group && x.Kind.Kind == kind {
				w.take(x, "a resource of "+o.Name)
			}
		}
	}
}

// hasOwnerLeft reports whether an object has an owner that is not deleted: the
// garbage collector then leaves it alone.
func (w *weighing) hasOwnerLeft(o *manifest.Object) bool {
	return slices.ContainsFunc(tree.List(o.Tree, "metadata", "ownerReferences"), func(ref any) bool {
		return !w.gone[tree.String(ref, "uid")]
	})
}

// volume adds the volume of a claim, if the reclaim policy deletes it.
func (w *weighing) volume(pvc *manifest.Object) {
	pv := w.live.Find(manifest.Identity{Kind: "PersistentVolume", Name: tree.String(pvc.Tree, "spec", "volumeName")})
	if pv == nil || tree.String(pv.Tree, "spec", "persistentVolumeReclaimPolicy") != "Delete" {
		return
	}
	if ref := tree.String(pv.Tree, "spec", "claimRef", "uid"); ref == "" || ref == uid(pvc) || uid(pvc) == "" {
		w.take(pv, "reclaim policy Delete: the data is lost")
	}
}

func (w *weighing) take(o *manifest.Object, why string) {
	if w.seen[o] {
		return
	}
	w.seen[o] = true
	w.gone[uid(o)] = true
	w.takes = append(w.takes, Taken{o, why})
	w.object(o)
}
