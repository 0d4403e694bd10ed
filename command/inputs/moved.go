package inputs

import (
	"context"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"threeway/command/request"
	"threeway/command/system"
	"threeway/merge/gap"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
)

// before is what a set was at a revision.
type before struct {
	set *manifest.Set
	// same are the files, and the directories that are rendered, of which set has nothing, because
	// they are the same now.
	same []string
	// notes say which paths the revision has nothing of.
	notes []string
	// moves: objects of the set are now in another one, so that it may have none.
	moves bool
	// gaps are the moves from other sets, which may be of another cluster.
	gaps gap.List
}

// unmoved adds to the manifests of the revision the objects that the change moves to this set, and
// takes out those that it moves to another one: they stay in the cluster, unless each set deletes what
// it no longer has. They come from another set of the run, or from files that are gone. It returns the
// objects that the revision does not have.
func (b *before) unmoved(ctx context.Context, r *request.Inputs, now *manifest.Set, revision string) []*manifest.Object {
	mine := b.members(now)
	isNew := func(o *manifest.Object) bool { return !mine.Then[o.ID()] }
	isGone := func(o *manifest.Object) bool { return !mine.Now[o.ID()] }
	some := slices.ContainsFunc(now.Objects, isNew)
	add := func(list []*manifest.Object, unless map[manifest.Identity]bool) (added []*manifest.Object) {
		for _, o := range list {
			if id := o.ID(); isNew(o) && mine.Now[id] && !unless[id] {
				mine.Then[id], added = true, append(added, o)
			}
		}
		b.set.Objects = append(b.set.Objects, added...)
		return added
	}
	elsewhere := map[manifest.Identity]bool{}
	if r.Beside != nil && (some || slices.ContainsFunc(b.set.Objects, isGone)) {
		for _, other := range r.Beside.Sets {
			if other.Part == r.Part || slices.Contains(other.Files, "-") {
				continue
			}
			its := membersOf(ctx, other, revision)
			if r.By != nil || r.Prune.Prune || apart(r, &other, mine, its) {
				maps.Copy(elsewhere, its.Then)
				continue
			}
			b.set.Objects = slices.DeleteFunc(b.set.Objects, func(o *manifest.Object) bool {
				moved := isGone(o) && its.Now[o.ID()] && !its.Then[o.ID()]
				b.moves = b.moves || moved
				return moved
			})
			if !slices.ContainsFunc(now.Objects, func(o *manifest.Object) bool { return isNew(o) && its.Then[o.ID()] && !its.Now[o.ID()] }) {
				continue
			}
			if was, _, err := setAt(ctx, &other, revision, silent); err == nil {
				b.assume(r, other.Part, add(was.set.Objects, its.Now))
			}
		}
	}
	if some && r.AtStart != nil {
		add(manifest.ReadFiles(request.GoneFiles(r.AtStart), r.Limits).Objects, elsewhere)
	}
	return slices.DeleteFunc(slices.Clone(now.Objects), func(o *manifest.Object) bool { return !isNew(o) })
}

// assume adds what is assumed of objects that were of another set.
func (b *before) assume(r *request.Inputs, from string, moved []*manifest.Object) {
	if len(moved) == 0 {
		return
	}
	g := gap.Gap{Code: gap.Moved, Place: r.Part,
		Text:  phrase.Count(len(moved), "object") + " moved from " + from + ", assuming that both are applied to one cluster",
		Needs: "the snapshot of the cluster to which " + r.Part + " is applied (--live): whether it has what moved from " + from}
	for _, o := range moved {
		g.Objects = append(g.Objects, o.ID())
	}
	b.gaps.Add(g)
}

// silent are the streams of what is read only to be compared.
var silent = system.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}

// membersOf are the objects of a set of the run; none of one that cannot be read, which is said where
// it is rehearsed.
func membersOf(ctx context.Context, r request.Inputs, revision string) request.Members {
	m, known := r.Beside.Members[r.Part]
	if known {
		return m
	}
	if now, err := Manifests(ctx, &r, silent, silent.In); err == nil {
		if then, _, err := setAt(ctx, &r, revision, silent); err == nil {
			m = then.members(now)
		}
	}
	r.Beside.Members[r.Part] = m
	return m
}

// members are the objects of the set, now and before.
func (b *before) members(now *manifest.Set) request.Members {
	m := request.Members{Now: map[manifest.Identity]bool{}, Then: map[manifest.Identity]bool{}}
	for _, o := range b.set.Objects {
		m.Then[o.ID()] = true
	}
	same := map[string]bool{}
	for _, file := range b.same {
		same[filepath.Clean(file)] = true
	}
	for _, o := range now.Objects {
		m.Now[o.ID()] = true
		if same[filepath.Clean(o.Origin.File)] {
			m.Then[o.ID()] = true
		}
	}
	return m
}

// apart reports whether two sets are applied to different clusters: the settings say so, they are
// environments, or they have an object in common. Namespaces are declared by many.
func apart(a, b *request.Inputs, as, bs request.Members) bool {
	common := func(a, b map[manifest.Identity]bool) bool {
		for id := range a {
			if b[id] && id.Kind != "Namespace" {
				return true
			}
		}
		return false
	}
	return len(a.Files) > 0 && len(b.Files) > 0 || !slices.Equal(a.Live, b.Live) || common(as.Now, bs.Now) || common(as.Then, bs.Then)
}
