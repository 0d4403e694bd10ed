package prune

import (
	"cmp"
	"slices"

	"threeway/merge/applier/argocd"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// Tracked are the options of a prune by Argo CD.
type Tracked struct {
	// By finds the objects of the Application, and Of names it.
	By argocd.Tracking
	Of string
	// Kept are objects that are in the manifests: applied, skipped or hooks.
	Kept map[manifest.Identity]bool
	// Listed are what the Application says that it tracks.
	Listed []manifest.Identity
	// Default is the application's option Prune, Last PruneLast, and Confirmed tells
	// that deletions are confirmed.
	Default   string
	Last      bool
	Confirmed bool
	// LastWave is that of the applied objects. The sync fails in wave Fails; nil if it
	// does not.
	LastWave int
	Fails    *int
}

// ByTracking previews what Argo CD prunes: the live objects that the Application tracks
// and no manifest has, without hooks and those that another object owns, in the reversed
// order of their waves (gitops-engine/pkg/sync/sync_context.go getSyncTasks, pruneObject;
// pkg/cache isRootAppNode).
func ByTracking(live *manifest.Snapshot, t Tracked) *Result {
	r := &Result{}
	var gone []departing
	for _, e := range live.Entries {
		if t.Kept[e.ID()] || len(e.Owners) > 0 || !t.By.Owns(e) || argocd.IsHook(e.Object().Tree) {
			continue
		}
		gone = append(gone, departing{e, argocd.Wave(e.Object().Tree)})
	}
	t.reverse(gone)
	for _, d := range gone {
		r.Waits = r.Waits || t.waits(d)
		why := "of " + t.Of + ", and in no manifest"
		if tree.String(d.entry.Object().Tree, "metadata", "annotations", resourcePolicy) == "keep" {
			why += "; Argo CD heeds " + resourcePolicy + ": keep only when the Application is deleted" // shouldBeDeleted of controller/appcontroller.go
		}
		r.leaves(live, d.entry, Kind{d.entry.Kind, d.entry.Namespace != ""}, why, func(tree.Object) string { return t.stays(d) })
		c := &r.Candidates[len(r.Candidates)-1]
		c.Wave, c.Last = d.wave, t.last(d)
	}
	for _, id := range t.Listed {
		if k := (Kind{schema.Kind{Group: id.Group, Kind: id.Kind}, id.Namespace != ""}); !t.Kept[id] && live.FindEntry(id) == nil {
			r.leaves(live, nil, k, "", nil)
		}
	}
	r.weigh(live)
	return r
}

// departing is an object that no manifest has, and the wave in which it goes.
type departing struct {
	entry *manifest.Entry
	wave  int
}

// reverse gives the objects the waves in which they go: the first wave that has any
// changes places with the last, and so on.
func (t Tracked) reverse(gone []departing) {
	var waves []int
	for _, d := range gone {
		waves = append(waves, d.wave)
	}
	slices.Sort(waves)
	waves = slices.Compact(waves)
	last := t.LastWave
	for i := range gone {
		at, _ := slices.BinarySearch(waves, gone[i].wave)
		gone[i].wave = waves[len(waves)-1-at]
		last = max(last, gone[i].wave)
	}
	for i := range gone {
		if t.last(gone[i]) {
			gone[i].wave = last + 1
		}
	}
	slices.SortStableFunc(gone, func(a, b departing) int {
		return cmp.Or(cmp.Compare(a.wave, b.wave), argocd.CompareKinds(a.entry.Kind.Kind, a.entry.Name, b.entry.Kind.Kind, b.entry.Name),
			cmp.Compare(a.entry.Namespace, b.entry.Namespace))
	})
}

// last reports whether an object is deleted after all that is applied is healthy.
func (t Tracked) last(d departing) bool { return t.Last || options(d.entry).Has("PruneLast=true") }

func options(e *manifest.Entry) argocd.Options { return argocd.OptionsOf(e.Object().Tree) }

// option is the sync option Prune of an object, or that of the Application.
func (t Tracked) option(d departing) string {
	return cmp.Or(options(d.entry).Value("Prune"), t.Default)
}

// waits reports whether the deletion of an object must be confirmed first.
func (t Tracked) waits(d departing) bool { return t.option(d) == "confirm" && !t.Confirmed }

// stays says why an object is not pruned; "" if it is.
func (t Tracked) stays(d departing) string {
	from := "the live object has"
	if options(d.entry).Value("Prune") == "" {
		from = t.Of + " has"
	}
	switch own := t.option(d); {
	case own == "false":
		return from + " the sync option Prune=false"
	case t.waits(d):
		return from + " the sync option Prune=confirm, and the sync waits until that is confirmed"
	case tree.Has(d.entry.Object().Tree, "metadata", "deletionTimestamp"):
		return "it is being deleted already"
	case t.Fails != nil && d.wave > *t.Fails:
		return "the sync fails before"
	}
	return ""
}
