// Package prune finds what `kubectl apply --prune` would delete, by allowlist
// or by ApplySet, and says of every candidate why it goes or stays. It deletes
// nothing and knows no output formats.
//
// It follows kubectl pkg/cmd/apply/{prune,applyset,applyset_pruner}.go and
// pkg/util/prune/prune.go. A cluster lists objects, a snapshot holds some: what
// the snapshot does not cover cannot be previewed, and is named.
package prune

import (
	"cmp"
	"slices"

	"threeway/merge/manifest"
	"threeway/merge/schema"
)

// Visited is what the apply has touched.
type Visited struct {
	// Objects are the applied ones, and UIDs those of their live objects: one
	// object can be reached by two identities (extensions and apps).
	Objects map[manifest.Identity]bool
	UIDs    map[string]bool
	// Namespaces are those of the applied namespaced objects.
	Namespaces map[string]bool
}

// has reports whether an apply touched the object. A uid decides where both
// sides have one, so that an object that was deleted and made anew counts.
func (v Visited) has(e *manifest.Entry) bool {
	return v.Objects[e.ID()] || v.UIDs[e.UID] && e.UID != ""
}

// Kind is a kind that prune looks at.
type Kind struct {
	schema.Kind
	Namespaced bool
}

// Fate says what becomes of a live object.
type Fate string

// The fates.
const (
	Pruned Fate = "pruned"
	Stays  Fate = "stays"
)

// Candidate is a live object that is not in the config set, and its fate.
type Candidate struct {
	Live *manifest.Entry
	Fate Fate
	// Why is the rule that selected it, or what saves it.
	Why string
	// Takes lists what goes with a pruned object.
	Takes []Taken
	// Manifest is the object's manifest outside the config set, found by
	// Locate; nil if there is none.
	Manifest *manifest.Object
	// LastFile says which file the pruned object's manifest was last in, found
	// by Trace, or is empty.
	LastFile string
}

// Result is the preview of a prune.
type Result struct {
	// Candidates lists pruned objects in kubectl's order, with namespaces by
	// name where kubectl takes them at random, then the near misses.
	Candidates []Candidate
	// Kinds are those that prune looks at, and Uncovered those of them of which
	// the snapshot holds neither objects nor an empty list.
	Kinds, Uncovered []Kind
	// Siblings are manifests of the whole set that are not in the config, and
	// whose objects would be deleted if they are live: what a run without a
	// snapshot can tell.
	Siblings []*manifest.Object
	// Notes are what kubectl does besides and what the preview cannot know.
	Notes []string
}

// Unseen reports whether the snapshot shows nothing of what prune looks at.
func (r *Result) Unseen() bool {
	return len(r.Candidates) == 0 && len(r.Uncovered) == len(r.Kinds)
}

// Pruned lists the objects that would be deleted.
func (r *Result) Pruned() []Candidate {
	var list []Candidate
	for _, c := range r.Candidates {
		if c.Fate == Pruned {
			list = append(list, c)
		}
	}
	return list
}

// lister gives the live objects of a kind in a namespace, as a cluster lists
// them: by name.
type lister struct {
	live   *manifest.Snapshot
	byKind map[string][]*manifest.Entry
}

func newLister(live *manifest.Snapshot) *lister {
	return &lister{live, map[string][]*manifest.Entry{}}
}

func (l *lister) list(k Kind, namespace string) []*manifest.Entry {
	kind := k.GroupKind()
	all, ok := l.byKind[kind]
	if !ok {
		all = slices.Clone(l.live.EntriesOfKind(kind))
		slices.SortStableFunc(all, func(a, b *manifest.Entry) int {
			return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
		})
		l.byKind[kind] = all
	}
	if !k.Namespaced {
		return all
	}
	from, _ := slices.BinarySearchFunc(all, namespace, func(e *manifest.Entry, ns string) int { return cmp.Compare(e.Namespace, ns) })
	to := from
	for to < len(all) && all[to].Namespace == namespace {
		to++
	}
	return all[from:to]
}

func sorted(set map[string]bool) []string {
	list := make([]string, 0, len(set))
	for s := range set {
		list = append(list, s)
	}
	slices.Sort(list)
	return list
}
