package promise

import (
	"maps"
	"slices"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Blocking lists the live fields, which the manifest does not set, that make an update fail
// where a create of the same manifest succeeds: the fewest without which it is accepted,
// outermost first. It is nil if the rejection has another cause. The list is shared by all
// who ask.
func Blocking(o *rehearsal.Outcome) []fieldpath.Path {
	type blocking []fieldpath.Path
	return rehearsal.Remember(o, func() blocking { return findBlocking(o) })
}

// mostTrials is how many updates are rehearsed for one rejection: the search takes few for
// each field that it finds, and the logarithm of how many there are.
const mostTrials = 60

func findBlocking(o *rehearsal.Outcome) []fieldpath.Path {
	if o.Action != rehearsal.Rejected || o.Before == nil || o.Run == nil || o.Recreated || o.Unserved ||
		o.Rejection.Has(fault.Immutable, fault.OtherManager, fault.Modified, fault.OtherUID, fault.NoRight, fault.NotAs, fault.Policy) { // a policy that a live label asks for is not to be evaded
		return nil
	}
	b := &blockers{o: o, from: o.Rejection.Object, into: map[string]bool{}}
	if b.from == nil {
		b.from = o.Before
	}
	if b.accepted(nil) {
		return nil // by now: what decided is applied later in the run, such as its definition
	}
	if paths := b.search(); len(paths) > 0 && Alone(o) {
		return paths
	}
	return nil
}

// search finds the fewest fields, and in maps that are found as a whole those that are enough.
func (b *blockers) search() (paths []fieldpath.Path) {
	for more := true; more; {
		b.paths, b.without = nil, nil
		b.object(schema.Lookup(b.o.Kind), b.from, b.o.Target(), nil)
		all := make([]int, len(b.paths))
		for i := range all {
			all[i] = i
		}
		if len(all) == 0 || !b.accepted(all) {
			break
		}
		found := b.fewest(nil, all)
		if b.trials > mostTrials || b.whole(paths, found) {
			break
		}
		paths, more = nil, false
		for _, i := range slices.Sorted(slices.Values(found)) {
			live, _ := b.o.Find(b.paths[i], b.o.Before)
			paths = append(paths, b.paths[i])
			if len(tree.Map(live)) > 1 {
				b.into[b.paths[i].String()], more = true, true
			}
		}
	}
	return paths
}

// whole reports whether all fields of a map are among what is found: then it is the map.
func (b *blockers) whole(maps []fieldpath.Path, found []int) bool {
	return slices.ContainsFunc(maps, func(of fieldpath.Path) bool {
		live, _ := b.o.Find(of, b.o.Before)
		n := 0
		for _, i := range found {
			if b.paths[i].HasPrefix(of) && len(b.paths[i]) > len(of) {
				n++
			}
		}
		return n > 1 && n == len(tree.Map(live))
	})
}

// blockers walks the object that the server rejected, or the live one if kubectl did, for what
// the manifest does not set, in the order of the walk, and copies it without some of that.
type blockers struct {
	o       *rehearsal.Outcome
	from    tree.Object
	paths   []fieldpath.Path
	n       int             // of the walk that copies
	without map[int]bool    // nil: the walk collects paths
	into    map[string]bool // maps that the manifest does not set, whose fields are fields of their own
	trials  int
}

// Alone reports whether the manifest of a rejected object is accepted where no object is live. What
// a quota rejects is not: it counts all that is there.
func Alone(o *rehearsal.Outcome) bool {
	return o.Rejection.By.GroupKind != "ResourceQuota" && created(o).Action != rehearsal.Rejected
}

// created is the apply of a manifest where no object is live.
func created(o *rehearsal.Outcome) *rehearsal.Outcome {
	type alone struct{ *rehearsal.Outcome }
	return rehearsal.Remember(o, func() alone {
		gone := *o.Manifest
		gone.Tree = nil
		return alone{o.Run.On(&gone).Object(o.Manifest)}
	}).Outcome
}

// accepted reports whether the update succeeds without some fields, up to conflicts, and keeps what the
// manifest says, as far as a create does.
func (b *blockers) accepted(leave []int) bool {
	if b.trials++; b.trials > mostTrials {
		return false
	}
	b.n, b.without = 0, map[int]bool{}
	for _, i := range leave {
		b.without[i] = true
	}
	left := b.object(schema.Lookup(b.o.Kind), b.from, b.o.Target(), nil)
	if b.o.Rejection.Object != nil { // it has all defaults, so that the server sets none again
		update := b.o.Run.Server.Update(b.o.Kind, b.o.Before, left)
		return update.Rejection == nil && !slices.ContainsFunc(Lost(b.o.Kind, left, update.Object, true), func(p fieldpath.Path) bool {
			v, _ := p.Find(left)
			return !zero(v) && b.o.Has(p, b.o.Target()) && b.o.Has(p, created(b.o).Result)
		})
	}
	live := *b.o.Manifest
	live.Tree = left
	after := b.o.Run.On(&live).Object(b.o.Manifest)
	return after.Action != rehearsal.Rejected || after.Rejection.Has(fault.OtherManager) // which comes to light next
}

// fewest are the fewest of some fields without which, and without others, the update is
// accepted: each half is searched without what the other needs (QuickXplain).
func (b *blockers) fewest(besides, of []int) []int {
	if len(besides) > 0 && b.accepted(besides) {
		return nil
	}
	if len(of) == 1 || b.trials > mostTrials {
		return of
	}
	first, second := of[:len(of)/2], of[len(of)/2:]
	needed := b.fewest(slices.Concat(besides, first), second)
	return slices.Concat(b.fewest(slices.Concat(besides, needed), first), needed)
}

// leave reports whether the copy lacks what is at a path that the manifest does not set: always what is no live
// field, which the server sets again.
func (b *blockers) leave(at fieldpath.Path) bool {
	if _, live := b.o.Find(at, b.o.Before); !live {
		return true
	}
	if b.without == nil {
		b.paths = append(b.paths, slices.Clone(at))
		return false
	}
	b.n++
	return b.without[b.n-1]
}

func (b *blockers) object(t *schema.Type, live, said tree.Object, at fieldpath.Path) tree.Object {
	left := maps.Clone(live)
	for _, key := range tree.Keys(live) {
		at := append(at, fieldpath.Step{Field: key})
		v, is := said[key]
		switch {
		case len(at) <= 3 && rehearsal.ServerOwned(at), is && v == nil && (b.o.Applier == "" || !b.o.Has(at, b.o.Before)): // or what the server reads in the null
		case is && v != nil || len(at) == 2 && at[0].Field == "metadata" && tree.Map(live[key]) != nil, b.into[at.String()]:
			below, f := t.Child(key)
			if t == nil && len(at) == 1 && key == "metadata" { // of a custom kind, too, it is that of all
				below, f = schema.Lookup(schema.ParseKind("v1", "ConfigMap")).Child(key)
			}
			left[key] = b.value(below, f, live[key], v, at)
		case b.leave(at):
			delete(left, key)
		}
	}
	return left
}

func (b *blockers) value(t *schema.Type, f *schema.Field, live, said any, at fieldpath.Path) any {
	switch x := live.(type) {
	case tree.Object:
		y, is := said.(tree.Object)
		if is || said == nil {
			return b.object(t, x, y, at)
		}
	case []any:
		keys, items := keysOf(f), tree.List(said)
		if keys == nil && !b.isSet(f, x) {
			return live // the manifest's replaces it
		}
		elem := elemOf(t)
		var out []any
		said := placesOf(items, keys, elem)
		for i, item := range x {
			m, isMap := item.(tree.Object)
			if keys == nil {
				if slices.ContainsFunc(items, func(v any) bool { return tree.Equal(v, item) }) || !b.leave(append(at, fieldpath.Step{Keys: []fieldpath.Key{{Value: item}}})) {
					out = append(out, item)
				}
				continue
			}
			if !isMap {
				return live
			}
			at := append(at, said.step(m, i))
			same, is := said.first(m)
			switch {
			case is && said.id(m) != "":
				item = b.object(elem, m, tree.Map(same), at)
			case b.leave(at):
				continue
			}
			out = append(out, item)
		}
		return out
	}
	return live
}

// isSet reports whether the manifest's items of a list without keys join the live ones. In a custom
// resource, more in the merged list than the manifest has tells it.
func (b *blockers) isSet(f *schema.Field, merged []any) bool {
	if f == nil {
		return b.o.Applier != "" && b.o.Rejection.Object != nil && schema.Lookup(b.o.Kind) == nil && !slices.ContainsFunc(merged, tree.Compound)
	}
	return b.o.Applier == "" && f.Merge && f.MergeKey == "" || b.o.Applier != "" && f.ListType == "set"
}
