package impact

import (
	"fmt"
	"slices"

	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/impact/setting"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Consequence is what the change of one field does.
type Consequence struct {
	Class setting.Class
	Path  fieldpath.Path
	// Says is a clause; of the class Nothing, it says what the field is.
	Says string
}

// Consequences are what the apply of an object that changes does, by path. Fields that
// the server and controllers write, and that every apply writes, are not among them. What
// becomes of pods is in the Rollout of the object.
func Consequences(o *rehearsal.Outcome) []Consequence {
	if o.Action != rehearsal.Configured || o.Before == nil || o.Result == nil {
		return nil
	}
	type found []Consequence
	return rehearsal.Remember(o, func() found { return consequences(o) })
}

func consequences(o *rehearsal.Outcome) (list []Consequence) {
	for _, path := range setting.OtherPublishers(o.Kind, o.Before, o.Result) {
		list = append(list, Consequence{setting.Access, path, "new pods run an image of a registry or owner that none of their images was of"})
	}
	seen := map[string]bool{}
	for _, c := range explain.Leaves(o) {
		if c.Bookkeeping || clusters(c.Path) || !c.InOld && !c.InNew || c.InOld && c.InNew && tree.Equal(c.Old, c.New) {
			continue
		}
		// What comes or goes as a whole is one change.
		path := c.Path
		if !c.InNew {
			path = top(o, o.Result, path)
		} else if !c.InOld {
			path = top(o, o.Before, path)
		}
		if seen[path.String()] {
			continue
		}
		seen[path.String()] = true
		old, inOld := o.Find(path, o.Before)
		now, inNew := o.Find(path, o.Result)
		if granting(o, path) && old != nil && now != nil {
			was, is := granted(o, old), granted(o, now)
			if len(without(was, is))+len(without(is, was)) == 0 {
				list = append(list, Consequence{setting.Nothing, slices.Clone(path), "the same " + path.String() + ", written in another way"})
				continue
			}
			old, now = was, is
		}
		differences(path, old, now, inOld, inNew, func(path fieldpath.Path, old, now any, inOld, inNew bool) {
			class, says := setting.Effect(o.Kind, path, old, now, inOld, inNew, o.Result)
			list = append(list, Consequence{class, slices.Clone(path), says})
		})
	}
	return list
}

// granting reports whether a field is the list of rules or subjects of a role or binding,
// whose order means nothing.
func granting(o *rehearsal.Outcome, path fieldpath.Path) bool {
	return o.Kind.Group == "rbac.authorization.k8s.io" && (path.Equal(fieldpath.New("subjects")) || path.Equal(fieldpath.New("rules")))
}

// granted is a list of subjects in which a ServiceAccount without namespace has the one
// of the binding, as the server takes it (plugin/pkg/auth/authorizer/rbac appliesToUser).
func granted(o *rehearsal.Outcome, list any) []any {
	items := slices.Clone(tree.List(list))
	for i, item := range items {
		if tree.String(item, "kind") == "ServiceAccount" && tree.String(item, "namespace") == "" && o.Kind.Kind == "RoleBinding" {
			subject := tree.CopyObject(tree.Map(item))
			subject["namespace"] = o.Identity().Namespace
			items[i] = subject
		}
	}
	return items
}

// top is the highest part of a path that an object does not have.
func top(o *rehearsal.Outcome, obj tree.Object, path fieldpath.Path) fieldpath.Path {
	for n := 1; n < len(path); n++ {
		if _, ok := o.Find(path[:n], obj); !ok {
			return path[:n:n]
		}
	}
	return path
}

// differences yields where two values differ. Of lists, which do not merge here, the
// items that both have are the same wherever they stand.
func differences(path fieldpath.Path, old, now any, inOld, inNew bool, yield func(path fieldpath.Path, old, now any, inOld, inNew bool)) {
	was, oldList := old.([]any)
	is, newList := now.([]any)
	if oldList && newList && len(was)+len(is) > 0 {
		gone, come := without(was, is), without(is, was)
		if len(gone) == len(come) {
			for n, i := range come {
				differences(path.Item(i), was[gone[n]], is[i], true, true, yield)
			}
		} else {
			for _, i := range gone {
				yield(path.Item(i), was[i], nil, true, false)
			}
			for _, i := range come {
				yield(path.Item(i), nil, is[i], false, true)
			}
		}
		if len(gone)+len(come) > 0 {
			return
		}
	}
	before, oldMap := old.(map[string]any)
	after, newMap := now.(map[string]any)
	if !oldMap || !newMap {
		yield(path, old, now, inOld, inNew)
		return
	}
	keys := tree.Keys(before)
	for _, key := range tree.Keys(after) {
		if _, ok := before[key]; !ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		x, inX := before[key]
		y, inY := after[key]
		if !inX || !inY || !tree.Equal(x, y) {
			differences(path.Child(key), x, y, inX, inY, yield)
		}
	}
}

// without are the places of the items of a list that another one lacks.
func without(list, other []any) (places []int) {
	for i, x := range list {
		if i >= len(other) || !tree.Equal(x, other[i]) {
			places = append(places, i)
		}
	}
	const few = 64
	if len(places)*len(other) <= few { // as in most lists
		return slices.DeleteFunc(places, func(i int) bool {
			return slices.ContainsFunc(other, func(y any) bool { return tree.Equal(list[i], y) })
		})
	}
	by := map[string][]any{} // different ones of other, by their texts
	has := func(x any, text string) bool {
		return slices.ContainsFunc(by[text], func(y any) bool { return tree.Equal(x, y) })
	}
	for _, y := range other {
		if text := fmt.Sprint(y); !has(y, text) {
			by[text] = append(by[text], y)
		}
	}
	return slices.DeleteFunc(places, func(i int) bool { return has(list[i], fmt.Sprint(list[i])) })
}
