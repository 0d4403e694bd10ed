package merge

import (
	"slices"

	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/server/policy"
	"threeway/merge/tree"
)

// secret are the changes of policies that may have written the value of a Secret into
// the object, in this apply or, with Plan.Then, in the one before.
func (o *Outcome) secret() []policy.Change {
	list := slices.Clone(o.before)
	for _, m := range o.Mutations {
		if m.Secret {
			list = append(list, m)
		}
	}
	return list
}

// Hides reports whether there are such changes.
func (o *Outcome) Hides() bool { return len(o.secret()) > 0 }

// Hide is a copy of a form of the object with what they have written masked,
// wherever it is.
func (o *Outcome) Hide(obj tree.Object) tree.Object {
	changes := o.secret()
	if len(changes) == 0 || obj == nil {
		return obj
	}
	var hidden any = tree.CopyObject(obj)
	for _, m := range changes {
		hidden = hide(hidden, any(m.Before), any(m.After))
	}
	return tree.Map(hidden)
}

// hiddenIn are the secret changes of objects.
func hiddenIn(outcomes ...*Outcome) map[manifest.Identity][]policy.Change {
	all := map[manifest.Identity][]policy.Change{}
	for _, o := range outcomes {
		if list := o.secret(); len(list) > 0 {
			all[o.Identity()] = list
		}
	}
	return all
}

// hide masks the texts in a value that differ between two others. Items of lists
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
	case string:
		return mask.Value
	}
	return v
}
