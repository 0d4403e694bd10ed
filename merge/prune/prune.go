// Package prune finds what `kubectl apply --prune` would delete, by allowlist
// or by ApplySet, and says why each candidate is deleted or stays. It deletes
// nothing and knows no output formats.
//
// It follows kubectl pkg/cmd/apply/{prune,applyset,applyset_pruner}.go and
// pkg/util/prune/prune.go. A cluster can list all objects, a snapshot has only
// some. Kinds that the snapshot does not cover cannot be previewed; they are
// listed in Result.Uncovered.
package prune

import (
	"cmp"
	"slices"

	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
)

// Visited is what the apply has visited.
type Visited struct {
	// Objects are the applied objects, and UIDs the uids of their live objects.
	// An object can have two identities (extensions and apps).
	Objects map[manifest.Identity]bool
	UIDs    map[string]bool
	// Namespaces are the namespaces of the applied objects.
	Namespaces map[string]bool
}

// has reports whether the apply visited the object. If both sides have a uid,
// the uid decides, so that an object that was deleted and recreated is a
// different one.
func (v Visited) has(e *manifest.Entry) bool {
	return v.Objects[e.ID()] || v.UIDs[e.UID] && e.UID != ""
}

// Kind is a kind that prune looks at.
type Kind struct {
	schema.Kind
	Namespaced bool
}

// Forbids is why the user may not make a request about objects of a kind, in the
// server's words; "" if it may.
type Forbids func(verb string, k Kind, namespace, name string) string

// Fate says what happens to a live object.
type Fate string

// The fates.
const (
	Pruned Fate = "pruned"
	Stays  Fate = "stays"
)

// Miss is why kubectl keeps an object that is in no manifest.
type Miss int

// The misses. An object has one if kubectl prunes and the object stays.
const (
	NotSelected  Miss = iota + 1 // its labels do not match the selector
	NeverApplied                 // it has no last-applied annotation
	NotRecorded                  // the allowlist has not its kind, or the parent not its kind or namespace
	NotVisited                   // no manifest has an object in its namespace
)

// Candidate is a live object that is not in the manifests, and its fate.
type Candidate struct {
	Live *manifest.Entry
	Fate Fate
	// Why is the reason why it is pruned, or why it stays.
	Why  string
	Miss Miss
	// Takes lists what is deleted along with a pruned object.
	Takes []Taken
	// Manifest is the object's manifest in a file outside of this run, found by
	// Locate; nil if there is none.
	Manifest *manifest.Object
	// LastFile is the file that last had the manifest of the pruned object,
	// found by Trace; or empty.
	LastFile string
	// Wave is that in which Argo CD deletes the object, and Last tells that it waits until all
	// that is applied is healthy.
	Wave int
	Last bool
}

// Result is the preview of a prune.
type Result struct {
	// Candidates lists pruned objects in kubectl's order, except that
	// namespaces are sorted, which kubectl visits in random order. Then come
	// the near misses.
	Candidates []Candidate
	// Kinds are the kinds that prune looks at. Uncovered are those for which
	// the snapshot has neither objects nor an empty list.
	Kinds, Uncovered []Kind
	// Siblings are manifests in other files whose objects would be deleted if
	// they are live. They are set in a run without a snapshot.
	Siblings []*manifest.Object
	// Failed is kubectl's error that ends the prune after the apply, "" if none does.
	Failed string
	// Notes say what else kubectl does, and what the preview cannot know.
	Notes []string
	// Waits tells that Argo CD does nothing until a deletion is confirmed.
	Waits bool
	// More is what is pruned now and not by the selection on record, Less the reverse.
	More, Less []Candidate
}

// Unseen reports whether the snapshot covers none of the kinds that prune looks
// at.
func (r *Result) Unseen() bool {
	return len(r.Candidates) == 0 && len(r.Uncovered) == len(r.Kinds)
}

// Error is the error that ends the prune, "" if none does.
func (r *Result) Error() string {
	if r == nil {
		return ""
	}
	return r.Failed
}

// All lists the candidates; none if nothing is pruned.
func (r *Result) All() []Candidate {
	if r == nil {
		return nil
	}
	return r.Candidates
}

// Pruned lists the objects that would be deleted; none if nothing is pruned.
func (r *Result) Pruned() (list []Candidate) {
	for _, c := range r.All() {
		if c.Fate == Pruned {
			list = append(list, c)
		}
	}
	return list
}

// Without are the objects that would be deleted, but for those that another preview deletes.
func (r *Result) Without(other *Result) (list []Candidate) {
	both := map[manifest.Identity]bool{}
	for _, c := range other.Pruned() {
		both[c.Live.ID()] = true
	}
	for _, c := range r.Pruned() {
		if !both[c.Live.ID()] {
			list = append(list, c)
		}
	}
	return list
}

// lister lists the live objects of a kind in a namespace as a cluster does,
// sorted by name.
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
