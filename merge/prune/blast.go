package prune

import (
	"maps"
	"slices"

	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// Taken is an object that is deleted along with a pruned one.
type Taken struct {
	Live *manifest.Entry
	Why  string
	// Depth is 1 if the object is deleted because of the pruned object itself.
	// Otherwise it is one more than the depth of the object that causes the
	// deletion: the last one before it with less depth.
	Depth int
}

// weigh sets, for each pruned object, what is deleted along with it.
func (r *Result) weigh(live *manifest.Snapshot) {
	var owned map[string][]*manifest.Entry
	gone := map[string]bool{}
	for _, c := range r.Pruned() {
		gone[c.Live.UID] = true
	}
	for i := range r.Candidates {
		c := &r.Candidates[i]
		if c.Fate != Pruned {
			continue
		}
		if owned == nil {
			owned = owners(live)
		}
		w := weighing{live: live, owned: owned, gone: maps.Clone(gone), seen: map[*manifest.Entry]bool{c.Live: true}}
		w.object(c.Live)
		c.Takes = w.takes
	}
}

// owners indexes the live objects by the uid of each of their owners.
func owners(live *manifest.Snapshot) map[string][]*manifest.Entry {
	m := map[string][]*manifest.Entry{}
	for _, e := range live.Entries {
		for _, id := range e.Owners {
			m[id] = append(m[id], e)
		}
	}
	return m
}

type weighing struct {
	live  *manifest.Snapshot
	owned map[string][]*manifest.Entry
	gone  map[string]bool // uids of deleted objects
	seen  map[*manifest.Entry]bool
	takes []Taken
	depth int
}

// object adds everything that is deleted along with o, directly or indirectly.
func (w *weighing) object(o *manifest.Entry) {
	if o.UID != "" {
		for _, child := range w.owned[o.UID] {
			if w.hasOwnerLeft(child) {
				continue
			}
			w.take(child, "owned by "+o.ID().String())
		}
	}
	switch o.Kind.GroupKind() {
	case "Namespace":
		for _, x := range w.live.Entries {
			if x.Namespace == o.Name {
				w.take(x, "in namespace "+o.Name)
			}
		}
	case "PersistentVolumeClaim":
		w.volume(o)
	case "CustomResourceDefinition.apiextensions.k8s.io":
		group, kind := tree.String(o.Object().Tree, "spec", "group"), tree.String(o.Object().Tree, "spec", "names", "kind")
		for _, x := range w.live.Entries {
			if x.Kind.Group == group && x.Kind.Kind == kind {
				w.take(x, "a resource of "+o.Name)
			}
		}
	}
}

// hasOwnerLeft reports whether an object has an owner that is not deleted: the
// garbage collector then leaves it alone.
func (w *weighing) hasOwnerLeft(o *manifest.Entry) bool {
	return slices.ContainsFunc(o.Owners, func(uid string) bool { return !w.gone[uid] })
}

// volume adds the volume of a claim, if the reclaim policy deletes it.
func (w *weighing) volume(pvc *manifest.Entry) {
	name := tree.String(pvc.Object().Tree, "spec", "volumeName")
	pv := w.live.FindEntry(manifest.Identity{Kind: "PersistentVolume", Name: name})
	if pv == nil || tree.String(pv.Object().Tree, "spec", "persistentVolumeReclaimPolicy") != "Delete" {
		return
	}
	if ref := tree.String(pv.Object().Tree, "spec", "claimRef", "uid"); ref == "" || ref == pvc.UID || pvc.UID == "" {
		w.take(pv, "reclaim policy Delete: the data is lost")
	}
}

func (w *weighing) take(o *manifest.Entry, why string) {
	if w.seen[o] {
		return
	}
	w.seen[o] = true
	w.gone[o.UID] = true
	w.depth++
	w.takes = append(w.takes, Taken{o, why, w.depth})
	w.object(o)
	w.depth--
}
