package merge

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"threeway/merge/gap"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// Former are the manifests before the change: those of the base, or of the commit that the
// change starts from.
type Former struct {
	// Name says where they are from: git:main, or the base.
	Name    string
	Objects []*manifest.Object
	// Problems are about those that cannot be read.
	Problems []manifest.Problem
	// Same are the files that are as they were, of which Objects has nothing.
	Same []string

	// Aside counts what is rejected as before the change, instead of judging it: what is asked
	// about is the change, not the apply. It is so with a base.
	Aside bool

	given []*manifest.Object // with what SOPS adds, if Objects are without
}

// former are the manifests by their objects; nil if they are unknown.
func (r *run) former() *manifest.Former {
	if r.given.Former == nil {
		return nil
	}
	return manifest.NewFormer(r.given.Former.Name, func() *manifest.Set {
		set := r.given.formerly()
		set.Build(manifest.Builder{Scope: r.Catalog.Scope, Resource: r.Catalog.Plural, Namespace: r.given.Namespace})
		return set
	})
}

// formerly are the manifests before the change, those of files that stay as they are, too.
// Former must not be nil.
func (opts Options) formerly() *manifest.Set {
	f, set := opts.Former, &manifest.Set{Problems: slices.Clone(opts.Former.Problems)}
	objects := f.Objects
	if f.given != nil {
		objects = f.given
	}
	for _, o := range objects {
		copied := *o
		set.Objects = append(set.Objects, &copied)
	}
	same := map[string]bool{}
	for _, file := range f.Same {
		same[filepath.Clean(file)] = true
	}
	for _, p := range opts.Manifests.Problems {
		if p.Object != nil && same[filepath.Clean(p.File)] {
			set.Problems = append(set.Problems, p)
		}
	}
	for _, o := range opts.Manifests.Objects {
		if same[filepath.Clean(o.Origin.File)] {
			copied := *o
			if added := opts.sealed[o]; added != nil {
				copied.Tree = maps.Clone(o.Tree)
				copied.Tree["sops"] = added
			}
			set.Objects = append(set.Objects, &copied)
		}
	}
	return set
}

// None reports whether there are no former manifests.
func (f *Former) None() bool { return f == nil || len(f.Objects) == 0 }

// compare adds what the apply leaves of the former manifests that are gone.
func (r *run) compare(p *Plan) {
	f := r.given.Former
	if f == nil || r.EmptyCluster {
		return
	}
	if !r.Assumed { // those of a base have their namespaces
		set := &manifest.Set{Objects: slices.Clone(f.Objects)}
		r.By.Arrange(set)
		set.Build(manifest.Builder{Scope: r.Catalog.Scope, Resource: r.Catalog.Plural, Namespace: r.given.Namespace})
		f = &Former{Name: f.Name, Objects: set.Objects, Problems: f.Problems}
	}
	known := map[manifest.Identity]bool{}
	for _, o := range r.given.Manifests.Objects {
		known[o.ID()] = true
	}
	for _, problem := range p.Problems {
		if problem.Object != nil {
			known[problem.Object.ID()] = true
		}
	}
	for _, c := range p.Prune.Pruned() {
		known[c.Live.ID()] = true
	}
	unknown := p.unknownKinds()
	for _, o := range f.Objects {
		id := o.ID()
		switch {
		case known[id], slices.ContainsFunc(unknown, func(m *manifest.Object) bool { return misspells(m, id) }), r.given.Select != nil && !r.given.Select(tree.Map(o.Tree, "metadata", "labels")):
		case r.Assumed || r.Live.FindEntry(id) != nil:
			p.Left = append(p.Left, o)
		case len(r.Live.Entries) > 0 && !r.lists(o):
			p.gone = append(p.gone, o)
		}
		known[id] = true
	}
	p.Notes = append(p.Notes, f.notes(p, r.given.Prune != nil)...)
}

// unknownKinds are the manifests of a kind or apiVersion that the cluster does not have and that no
// definition can add.
func (p *Plan) unknownKinds() (list []*manifest.Object) {
	for _, o := range p.Outcomes {
		if o.Unserved || o.Undefined && !strings.Contains(o.Kind.Group, ".") {
			list = append(list, o.Manifest)
		}
	}
	return list
}

// misspells reports whether a manifest of an unknown kind is that of an object, with a kind or apiVersion
// that is spelled like the object's.
func misspells(m *manifest.Object, id manifest.Identity) bool {
	return m.Name == id.Name && (m.Namespace == id.Namespace || m.Namespace == "") &&
		(m.Kind.Kind == id.Kind || phrase.Nearest(m.Kind.Kind, []string{id.Kind}) != "")
}

// compareGaps adds what is unknown of the former manifests: those that cannot be read, and
// whether an object is live whose manifest is gone.
func (r *run) compareGaps(p *Plan) {
	if r.given.Former == nil {
		return
	}
	for _, problem := range r.given.Former.Problems {
		if unread(problem) || problem.Severity == manifest.Error && problem.Object.Name == "" {
			g := gap.Gap{Code: gap.BaseUnread, Needs: problem.String()}
			if r.given.Base != nil {
				g.Note = unreadBase + g.Needs
			}
			p.Add(g)
		}
	}
	for _, o := range p.gone {
		p.Add(gap.Gap{Code: gap.NotExported, Objects: []manifest.Identity{o.ID()}, Needs: exportOf + o.Kind.GroupKind()})
	}
}

// lists reports whether an object that is not in the snapshot is not live.
func (r *run) lists(o *manifest.Object) bool {
	return r.Catalog.Complete() || r.Live.Covers(o.Kind.Group, o.Kind.Kind) &&
		(o.Namespace == "" || slices.Contains(r.Live.Namespaces(), o.Namespace))
}

// Leaves reports whether the manifest of an object is gone and the apply leaves the object.
func (p *Plan) Leaves(id manifest.Identity) bool {
	return slices.ContainsFunc(p.Left, func(o *manifest.Object) bool { return o.ID() == id })
}

// notes say what an apply leaves behind.
func (f *Former) notes(p *Plan, pruning bool) []string {
	if len(p.Left) == 0 {
		return nil
	}
	names := make([]string, len(p.Left))
	for i, o := range p.Left {
		names[i] = o.ID().String()
	}
	if p.Unread() {
		return []string{fmt.Sprintf("%s in %s but in no manifest that can be read: %s; whether the manifests still have them is unknown",
			phrase.Count(len(names), "object"), f.Name, strings.Join(names, ", "))}
	}
	how := "without --prune"
	switch {
	case !p.By.Claim().IsKubectl():
		how = "after this " + p.By.Run()
	case pruning:
		how = "although this apply prunes"
	}
	return []string{phrase.Count(len(names), "object of "+f.Name+" is no longer in the manifests and stays in the cluster ",
		"objects of "+f.Name+" are no longer in the manifests and stay in the cluster ") + how + ": " + strings.Join(names, ", ")}
}
