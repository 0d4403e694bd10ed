package merge

import (
	"reflect"
	"slices"
	"sync"

	"threeway/merge/by/kubectl"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// objects rehearses the apply of the objects that are asked for, side by side,
// and leaves the others for later. What comes after a namespace or a class
// depends on it: it and what comes before it go first.
func (r *run) objects(list []*manifest.Object, before *earlier) []rehearsal.Planned {
	set := make([]rehearsal.Planned, len(list))
	r.Expect(list)
	last := -1 // of those that others depend on
	for i, o := range list {
		if set[i].Manifest = o; r.AffectsOthers(o) {
			last = i
		}
	}
	before.outcomes(r, set)
	r.Progress.Objects(len(list))
	for done := 0; done < len(list); {
		next := set[done:]
		if i := slices.IndexFunc(next, func(o rehearsal.Planned) bool { return r.AffectsOthers(o.Manifest) }); i >= 0 {
			next = next[:i+1]
		}
		var now []int
		for i := range next {
			o := next[i].Manifest
			if next[i].Outcome != nil {
				continue
			}
			if r.asked(o) || last >= done+i {
				now = append(now, i)
			} else {
				next[i].Outcome = sync.OnceValue(func() *rehearsal.Outcome { return r.Object(o) })
			}
		}
		r.Cores.Do(len(now), func(i int) {
			o := &next[now[i]]
			outcome := r.Object(o.Manifest)
			o.Outcome = func() *rehearsal.Outcome { return outcome }
			r.Progress.Add(1)
		})
		done += len(next)
		if o := set[done-1]; r.AffectsOthers(o.Manifest) && o.Outcome().Action != rehearsal.Rejected {
			r.Record(o.Outcome())
		}
	}
	r.KeepQuotas(set)
	return set
}

// ListsRejections reports whether kubectl has several errors, and then lists them at the
// end of an apply; a diff ends at the first. All that it cannot read is one of them
// (kubectl pkg/cmd/apply/apply.go Run).
func (p *Plan) ListsRejections() bool {
	rejected := 0
	if slices.ContainsFunc(p.Problems, func(problem manifest.Problem) bool { return problem.Severity == manifest.Error }) {
		rejected++
	}
	for _, o := range p.Outcomes {
		if o.Action == rehearsal.Rejected {
			rejected++
		}
	}
	return rejected > 1 && !p.Diff
}

// Mode is how the plan applies: client-side or server-side.
func (p *Plan) Mode() string {
	if p.ServerSide {
		return "server-side"
	}
	return "client-side"
}

// earlier is a plan with the same options, of which a next one takes over what is
// equal for sure. What an outcome depends on besides its manifest is the options, the
// snapshot, the definitions of the set, and the objects before it that shape others;
// where one of these differs, all is rehearsed. A nil one has nothing to take.
type earlier struct {
	*Plan
	catalogues bool // the definitions are the same
}

// asEarlier is nil if the plan was made with other options.
func (p *Plan) asEarlier(opts Options) *earlier {
	if p == nil || p.run == nil || p.Parts != nil || opts.Live != p.run.Live || opts.By != rehearsal.Applier(kubectl.Kubectl{}) || opts.Base != p.run.given.Base || opts.Prune != nil || len(opts.sealed) > 0 || !reflect.DeepEqual(opts.constant(), p.run.given.constant()) {
		return nil
	}
	return &earlier{Plan: p}
}

// constant are the options without those that say what the objects are, and without
// those that decide of no outcome.
func (o Options) constant() Options {
	o.Cores, o.Manifests, o.Live, o.Notes, o.Gaps, o.Only, o.Before, o.sealed, o.Sibling = 0, nil, nil, nil, nil, nil, nil, nil, nil
	o.Former = nil
	return o
}

// catalog is that of the earlier plan, if the manifests define the same kinds.
func (e *earlier) catalog(opts Options) *rehearsal.Catalog {
	isDefinition := func(o *manifest.Object) bool { return o.Kind.GroupKind() == rehearsal.DefinitionKind }
	if e == nil {
		return rehearsal.NewCatalog(opts.Options)
	}
	now, then := filter(opts.Manifests.Objects, isDefinition), filter(e.run.Manifests.Objects, isDefinition)
	same := func(a, b *manifest.Object) bool {
		return a.SameText(b) || opts.Base != nil && a.ID() == b.ID() && tree.Equal(a.Tree, b.Tree)
	}
	if e.catalogues = slices.EqualFunc(now, then, same); !e.catalogues {
		return rehearsal.NewCatalog(opts.Options)
	}
	return e.run.Catalog
}

// recall replaces the manifests that are the same as then, once they have their
// namespaces, by those of the earlier plan, and returns the selected ones.
func (e *earlier) recall(r *run, selected []*manifest.Object) []*manifest.Object {
	if e != nil && e.catalogues {
		return r.Manifests.Recall(e.run.Manifests, selected, r.given.Base != nil)
	}
	return selected
}

// outcomes takes over those of the same manifests, if the objects that shape others are
// the same. What is charged to a quota depends on all objects before it.
func (e *earlier) outcomes(r *run, set []rehearsal.Planned) {
	if e == nil || !e.catalogues || r.Pods != e.run.Pods {
		return
	}
	shaping := func(list []rehearsal.Planned) []*manifest.Object {
		var found []*manifest.Object
		for _, o := range list {
			if r.AffectsOthers(o.Manifest) {
				found = append(found, o.Manifest)
			}
		}
		return found
	}
	if !slices.Equal(shaping(set), shaping(e.Set)) {
		return
	}
	type place struct {
		outcome func() *rehearsal.Outcome
		after   int // of those that shape others
	}
	known, after := make(map[*manifest.Object]place, len(e.Set)), 0
	for _, o := range e.Set {
		known[o.Manifest] = place{o.Outcome, after}
		if r.AffectsOthers(o.Manifest) {
			after++
		}
	}
	after = 0
	for i, o := range set {
		if was, ok := known[o.Manifest]; ok && was.after == after && !r.Limited(o.Manifest.Namespace) {
			set[i].Outcome = was.outcome
		}
		if r.AffectsOthers(o.Manifest) {
			after++
		}
	}
}

func filter(list []*manifest.Object, keep func(*manifest.Object) bool) []*manifest.Object {
	return slices.DeleteFunc(slices.Clone(list), func(o *manifest.Object) bool { return !keep(o) })
}
