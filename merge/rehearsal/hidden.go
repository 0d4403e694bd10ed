package rehearsal

import (
	"slices"
	"sync/atomic"

	"threeway/merge/kube"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/tree"
)

// mutations are the changes of policies in this apply and, with Plan.Then, in the one
// before.
func (o *Outcome) mutations() []kube.Mutation {
	return append(slices.Clip(o.mutated), o.Mutations...)
}

// secretMutations are the changes of policies that may have written a hidden value into another
// field: that of a Secret, or of an object of which p hides something.
func (o *Outcome) secretMutations(p *mask.Policy) (list []kube.Mutation) {
	for _, m := range o.mutations() {
		if m.Secret || p.Holds(m.Before) {
			list = append(list, m)
		}
	}
	return list
}

// HasSecrets reports whether a version of the object has something that p hides, or a policy
// may have written such a value into it.
func (o *Outcome) HasSecrets(p *mask.Policy) bool {
	type answer struct {
		of    *mask.Policy
		hides bool
	}
	type newest struct{ atomic.Pointer[answer] } // another run may know other values
	last := Remember(o, func() *newest { return &newest{} })
	if known := last.Load(); known != nil && known.of == p {
		return known.hides
	}
	var versions []tree.Object
	for _, v := range o.Versions() {
		if !slices.ContainsFunc(versions, func(w tree.Object) bool { return tree.Equal(v, w) }) {
			versions = append(versions, v)
		}
	}
	a := answer{p, p.Holds(versions...) || len(o.secretMutations(p)) > 0}
	last.Store(&a)
	return a.hides
}

// Hide is a copy of a form of the object with what they have written masked,
// wherever it is.
func (o *Outcome) Hide(p *mask.Policy, obj tree.Object) tree.Object {
	changes := o.secretMutations(p)
	if len(changes) == 0 || obj == nil {
		return obj
	}
	var hidden any = tree.CopyObject(obj)
	for _, m := range changes {
		hidden = hide(hidden, any(m.Before), any(m.After))
	}
	return tree.Map(hidden)
}

// HidePair is Hide for two versions, in which what differs still does.
func (o *Outcome) HidePair(p *mask.Policy, from, to tree.Object) (tree.Object, tree.Object) {
	a, b := o.Hide(p, from), o.Hide(p, to)
	if from != nil && to != nil && len(o.secretMutations(p)) > 0 {
		tellApart(a, b, from, to)
	}
	return a, b
}

// tellApart says of two hidden objects, or lists, which of their values differ.
func tellApart(a, b, from, to any) {
	each := func(x, y, was, is any, set func(x, y any)) {
		if x == any(mask.Value) && y == any(mask.Value) {
			if !tree.Equal(was, is) {
				set(mask.Before, mask.After)
			}
			return
		}
		tellApart(x, y, was, is)
	}
	switch a := a.(type) {
	case tree.Object:
		b := tree.Map(b)
		for key, x := range a {
			if y, both := b[key]; both {
				each(x, y, tree.Map(from)[key], tree.Map(to)[key], func(x, y any) { a[key], b[key] = x, y })
			}
		}
	case []any:
		b, _ := b.([]any)
		was, is := tree.List(from), tree.List(to)
		for i := range min(len(a), len(b), len(was), len(is)) {
			each(a[i], b[i], was[i], is[i], func(x, y any) { a[i], b[i] = x, y })
		}
	}
}

// Mutated are the changes of objects by policies, which may be secret.
func Mutated(outcomes ...*Outcome) map[manifest.Identity][]kube.Mutation {
	all := map[manifest.Identity][]kube.Mutation{}
	for _, o := range outcomes {
		if list := o.mutations(); len(list) > 0 {
			all[o.Identity()] = list
		}
	}
	return all
}

// hide masks the texts and numbers in a value that differ between two others. Items of lists
// that differ are masked in whole.
func hide(v, before, after any) any {
	if tree.Equal(before, after) {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		old, now := tree.Map(before), tree.Map(after)
		for key, x := range v {
			if _, made := now[key]; made {
				v[key] = hide(x, old[key], now[key])
			}
		}
	case []any:
		for i, x := range v {
			v[i] = hide(x, nil, x)
		}
	case nil, bool:
	default:
		return mask.Value
	}
	return v
}
