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
	"threeway/merge/tree"
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
func (v Visited) has(o *manifest.Object) bool {
	return v.Objects[o.ID()] || v.UIDs[uid(o)] && uid(o) != ""
}

func uid(o *manifest.Object) string { return tree.String(o.Tree, "metadata", "uid") }

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
	Object *manifest.Object
	Fate   Fate
	// Why is the rule that selected it, or what saves it.
	Why string
	// Takes lists what goes with a pruned object.
	Takes []Taken
	// Manifest is the pruned object's manifest outside the config set, found
	// by Locate; nil if there is none.
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
	// Looked counts the kinds that prune looks at.
	Looked int
	// Uncovered names the kinds that prune would look at and of which the
	// snapshot holds neither objects nor an empty list.
	Uncovered []string
	// Notes are kubectl's warnings and what the preview cannot know.
	Notes []string
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
type lister struct{ byKind map[string][]*manifest.Object }

func newLister(live *manifest.Snapshot) *lister {
	l := &lister{byKind: map[string][]*manifest.Object{}}
	for _, o := range live.Objects {
		kind := o.Kind.GroupKind()
		l.byKind[kind] = append(l.byKind[kind], o)
	}
	for _, objects := range l.byKind {
		slices.SortStableFunc(objects, func(a, b *manifest.Object) int {
			return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
		})
	}
	return l
}

func (l *lister) list(k Kind, namespace string) []*manifest.Object {
	var found []*manifest.Object
	for _, o := range l.byKind[k.GroupKind()] {
		if !k.Namespaced || o.Namespace == namespace {
			found = append(found, o)
		}
	}
	return found
}

// lastAppliedKey marks what prune by allowlist may delete.
const lastAppliedKey = "kubectl.kubernetes.io/last-applied-configuration"

func hasLastApplied(o *manifest.Object) bool {
	_, ok := tree.Get(o.Tree, "metadata", "annotations", lastAppliedKey)
	return ok
}

func labels(o *manifest.Object) tree.Object { return tree.Map(o.Tree, "metadata", "labels") }

func sorted(set map[string]bool) []string {
	list := make([]string, 0, len(set))
	for s := range set {
		list = append(list, s)
	}
	slices.Sort(list)
	return list
}
