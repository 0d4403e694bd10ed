package promise

import (
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

// Staying is a field that has left the manifest, and that the result still has.
type Staying struct {
	// Path is the field in the result. Was is where the earlier manifest had it, which of a
	// key of stringData is another one.
	Path, Was fieldpath.Path
	// By is a live field beside it that has the same value, and that no manifest sets: the server
	// takes both for one. It is nil if the server keeps the field itself.
	By fieldpath.Path
	// RolledBack: kubectl rollout undo has brought it back, so that last-applied lacks it.
	RolledBack bool
}

// Gone lists what left the manifest of an accepted object since the last apply, by last-applied
// or by what the manager owns, and stays in the result, though a new object would not have it.
// What other managers own is left out. The list is shared by all who ask.
func Gone(o *rehearsal.Outcome) []Staying {
	type gone []Staying
	return rehearsal.Remember(o, func() gone { return findGone(o) })
}

func findGone(o *rehearsal.Outcome) []Staying {
	if o.Result == nil || o.Before == nil || o.Run == nil || o.Skipped != "" || o.Recreated || o.Action == rehearsal.Rejected {
		return nil
	}
	g := &gone{o: o}
	last := o.Original
	g.rolledBack(last)
	if o.Applier != "" {
		if !g.ownsMore() {
			return g.list
		}
		if previous, _ := o.Run.Previous(o); previous != nil {
			last = previous.Tree
		}
	}
	if kind := schema.ParseKind(tree.String(last, "apiVersion"), tree.String(last, "kind")); kind == o.Kind && !tree.Equal(last, o.Target()) {
		g.object(schema.Lookup(o.Kind), last, o.Target(), o.Result, nil)
	}
	if o.Kind.GroupKind() == "Secret" {
		g.stringData(last)
	}
	return g.list
}

type gone struct {
	o    *rehearsal.Outcome
	list []Staying
}

// ownsMore reports whether the manager that applies server-side, or a client-side apply before
// it, owns what the manifest does not have.
func (g *gone) ownsMore() bool {
	return slices.ContainsFunc(owners.Read(g.o.Taken()), func(e owners.Entry) bool {
		return (e.Manager == g.o.Applier || e.Manager == owners.ClientSideApply) && slices.ContainsFunc(e.Leaves(), func(p fieldpath.Path) bool {
			return !g.o.Has(p, g.o.Target())
		})
	})
}

func (g *gone) object(t *schema.Type, last, said, now tree.Object, at fieldpath.Path) {
	if said["$patch"] == "delete" && len(at) > 0 && len(at[len(at)-1].Keys) > 0 {
		return // an item that Said tells of
	}
	for _, key := range tree.Keys(last) {
		at := append(at, fieldpath.Step{Field: key})
		if len(at) <= 3 && (rehearsal.ServerOwned(at) || at[0].Field == "stringData") {
			continue
		}
		is, stays := now[key]
		v, set := said[key]
		below, f := t.Child(key)
		switch {
		case last[key] == nil || !stays:
		case v == any("") && !tree.Compound(last[key]): // many servers take it for none
			if tree.Equal(is, last[key]) {
				g.add(at, is, now, said)
			}
		case set && v != nil:
			g.value(below, f, last[key], v, is, at)
		case !tree.Compound(last[key]):
			if tree.Equal(is, last[key]) {
				g.add(at, is, now, said)
			}
		default:
			g.value(below, f, last[key], nil, is, at)
		}
	}
}

func (g *gone) value(t *schema.Type, f *schema.Field, last, said, now any, at fieldpath.Path) {
	switch x := last.(type) {
	case tree.Object:
		if y, is := now.(tree.Object); is {
			g.object(t, x, tree.Map(said), y, at)
		}
	case []any:
		keys := keysOf(f)
		if keys == nil {
			return
		}
		elem := elemOf(t)
		before, kept, left := placesOf(x, keys, elem), placesOf(tree.List(now), keys, elem), placesOf(tree.List(said), keys, elem)
		for i, item := range x {
			m, isMap := item.(tree.Object)
			if !isMap || before.count(m) > 1 {
				continue
			}
			y, stays := kept.first(m)
			if !stays {
				continue
			}
			other, _ := left.first(m)
			g.object(elem, m, tree.Map(other), tree.Map(y), append(at, before.step(m, i)))
		}
	}
}

// add notes a field unless a new object would have it, the server gives it a value of its own
// choice, or another manager owns it.
func (g *gone) add(at fieldpath.Path, is any, now, said tree.Object) {
	last := at[len(at)-1].Field
	if g.o.Fresh == nil || slices.Contains(allocated, last) && is != any("None") {
		return
	}
	fresh := g.o.Fresh()
	if usual, given := g.o.Find(at, fresh); fresh == nil || given && tree.Equal(usual, is) || mutated(g.o, at) {
		return
	}
	if g.others(at) {
		return
	}
	s := Staying{Path: slices.Clone(at), Was: slices.Clone(at)}
	for _, key := range tree.Keys(now) {
		if text, isText := is.(string); isText && text != "" && key != last && now[key] == is && !tree.Has(said, key) {
			if by := s.Path[:len(at)-1].Child(key); g.goesWith(s.Path, by) {
				s.By = by
			}
		}
	}
	g.list = append(g.list, s)
}

// goesWith reports whether a field goes if both leave the object, and stays if it does alone.
func (g *gone) goesWith(at, by fieldpath.Path) bool {
	stays := func(without ...fieldpath.Path) bool {
		var edits []edit.Edit
		for _, p := range without {
			edits = append(edits, edit.Remove(p))
		}
		left, err := edit.Object(g.o.Result, edits)
		if err != nil {
			return false
		}
		_, is := at.Find(g.o.Run.Server.Update(g.o.Kind, g.o.Before, left).Object)
		return is
	}
	return stays(at) && !stays(at, by)
}

// rolledBack notes what kubectl rollout undo has taken from an earlier pod template.
func (g *gone) rolledBack(last tree.Object) {
	for _, e := range owners.Read(g.o.Before) {
		if e.Manager != "kubectl-rollout" {
			continue
		}
		for _, p := range e.Leaves() {
			if !p.HasPrefix(fieldpath.New("spec", "template")) || p[len(p)-1].Field == "kubectl.kubernetes.io/restartedAt" {
				continue
			}
			n := 2
			for n < len(p) && g.o.Has(p[:n], g.o.Target()) {
				n++
			}
			s := Staying{Path: p[:n], Was: p[:n], RolledBack: true}
			if !g.o.Has(s.Path, g.o.Target()) && !g.o.Has(s.Path, last) && g.o.Has(s.Path, g.o.Result) && !slices.ContainsFunc(g.list, func(t Staying) bool { return t.Path.Equal(s.Path) }) {
				g.list = append(g.list, s)
			}
		}
	}
}

// allocated are the fields to which the server gives a value of its own choice: it keeps the one
// that a manifest chose.
var allocated = []string{"clusterIP", "nodePort", "healthCheckNodePort", "volumeName"}

// others reports whether another manager owns a field of a server-side apply, which is why it
// stays.
func (g *gone) others(at fieldpath.Path) bool {
	return g.o.Applier != "" && slices.ContainsFunc(owners.Read(g.o.Taken()), func(e owners.Entry) bool {
		return e.Manager != g.o.Applier && e.Owns(at)
	})
}

// stringData notes the keys that have left stringData: the server has them in data. Managers own
// what they have applied there, also after it is in data.
func (g *gone) stringData(last tree.Object) {
	keys := tree.Keys(tree.Map(last, "stringData"))
	if g.o.Applier != "" {
		for _, e := range owners.Read(g.o.Taken()) {
			for _, p := range e.Leaves() {
				if len(p) == 2 && p[0].Field == "stringData" && e.Manager == g.o.Applier && !slices.Contains(keys, p[1].Field) {
					keys = append(keys, p[1].Field)
				}
			}
		}
		slices.Sort(keys)
	}
	for _, key := range keys {
		plain, _ := tree.Get(g.o.Target(), "stringData", key)
		_, coded := tree.Get(g.o.Target(), "data", key)
		path := fieldpath.New("data", key)
		if _, stays := path.Find(g.o.Result); stays && plain == nil && !coded && !g.others(path) {
			g.list = append(g.list, Staying{Path: path, Was: fieldpath.New("stringData", key)})
		}
	}
}
