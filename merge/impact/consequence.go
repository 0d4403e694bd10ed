package impact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/impact/setting"
	"threeway/merge/memo"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Consequence is what the change of one field does.
type Consequence struct {
	setting.Does
	Path fieldpath.Path
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

// Consequences are those of an outcome of the plan, or a variant of one, which knows the other
// objects: what means the same in this cluster, and not in every one, has none. Those of an object that is
// created are what its pods get of what was there before.
func (i *Impact) Consequences(o *rehearsal.Outcome) []Consequence {
	return i.cluster.follows.Get(o, func() []Consequence { return i.consequences(o) })
}

func (i *Impact) consequences(o *rehearsal.Outcome) []Consequence {
	same, says := o, ""
	for _, variant := range []struct {
		of   func(*rehearsal.Outcome) *rehearsal.Outcome
		says string
	}{
		{i.ByNumber, "the same ports, by name or by number"},
		{i.cluster.selecting, "the same pods, selected by other labels"},
		{i.cluster.evicting, "the same number of pods may be evicted"},
		{classed, "the same ingress class, by its field"},
		{restricting, "rules of a direction that the policy does not restrict"},
		{i.cluster.rolling, "the same number of pods is replaced at a time"},
		{i.cluster.labeled, "labels that nothing selects by"},
	} {
		if v := variant.of(same); v != same {
			same, says = v, variant.says
		}
	}
	fields := i.Delivery(o.Identity()).follows(Consequences(same))
	list := append(untold(i.cluster.gains(o), fields), fields...)
	if list == nil && same != o {
		list = []Consequence{{Does: setting.Does{Class: setting.Nothing, Says: says}}}
	}
	return list
}

// untold are what pods get, but for the access that fields tell of at the same place.
func untold(gains, fields []Consequence) []Consequence {
	if len(gains) == 0 {
		return nil
	}
	told := map[string]bool{}
	for _, c := range fields {
		if c.Class == setting.Access {
			told[c.Path.String()] = true
		}
	}
	return slices.DeleteFunc(gains, func(g Consequence) bool { return g.Class == setting.Access && told[g.Path.String()] })
}

// Hazard says what the change of a field, or of what it is in, does that may go wrong; "" if nothing, or
// if it is about pods or readers of data, of which more is known.
func (i *Impact) Hazard(o *rehearsal.Outcome, path fieldpath.Path) string {
	for _, c := range i.Consequences(o) {
		switch {
		case c.Safer, !c.Path.Holds(path), slices.Contains([]setting.Class{setting.Nothing, setting.Pods, setting.Scale, setting.Data, setting.Controller}, c.Class):
		default:
			return c.Says
		}
	}
	return ""
}

// IngressClass is the class of an Ingress, by its field or by the annotation that it had before; "" if it has none.
func IngressClass(obj tree.Object) string {
	return cmp.Or(tree.String(obj, "spec", "ingressClassName"), tree.String(obj, "metadata", "annotations", classAnnotation))
}

// classed is an outcome of an Ingress whose class moves from its annotation to its field, as if it had
// been there: the outcome itself for others.
func classed(o *rehearsal.Outcome) *rehearsal.Outcome {
	was, is := tree.String(o.Before, "metadata", "annotations", classAnnotation), tree.String(o.Result, "spec", "ingressClassName")
	if o.Kind.GroupKind() != "Ingress.networking.k8s.io" || was == "" || is == "" || tree.Has(o.Result, "metadata", "annotations", classAnnotation) {
		return o
	}
	return asIf(o, func(before tree.Object) {
		delete(tree.Map(before, "metadata", "annotations"), classAnnotation)
		tree.Set(before, was, "spec", "ingressClassName")
	})
}

// restricting is an outcome of a NetworkPolicy as if it had had its new rules of each direction that it does
// not restrict both before and after the apply: they do nothing there, or policyTypes tells what they do.
func restricting(o *rehearsal.Outcome) *rehearsal.Outcome {
	if o.Kind.GroupKind() != "NetworkPolicy.networking.k8s.io" || o.Before == nil || o.Result == nil {
		return o
	}
	was, is := tree.List(o.Before, "spec", "policyTypes"), tree.List(o.Result, "spec", "policyTypes")
	for direction, field := range map[string]string{"Ingress": "ingress", "Egress": "egress"} {
		rules, set := tree.Get(o.Result, "spec", field)
		if old, had := tree.Get(o.Before, "spec", field); slices.Contains(was, any(direction)) && slices.Contains(is, any(direction)) || set == had && tree.Equal(old, rules) {
			continue
		}
		o = asIf(o, func(before tree.Object) {
			if tree.Set(before, rules, "spec", field); !set {
				tree.Delete(before, "spec", field)
			}
		})
	}
	return o
}

// asIf is an outcome as if its object had been otherwise before the apply: change changes a copy of it.
func asIf(o *rehearsal.Outcome, change func(before tree.Object)) *rehearsal.Outcome {
	same := *o
	same.Before = tree.CopyObject(o.Before)
	change(same.Before)
	return &same
}

// classAnnotation is where Ingresses had their class before they had a field for it.
const classAnnotation = "kubernetes.io/ingress.class"

func consequences(o *rehearsal.Outcome) (list []Consequence) {
	seen, areas := map[string]bool{}, map[string]bool{} // areas: what an area says, and no meaning
	var along []Consequence                             // what the server removes along with what changes
	for _, c := range explain.FieldChanges(o) {
		if c.Bookkeeping || clusters(c.Path) || byServer(c) || !c.InOld && !c.InNew || c.InOld && c.InNew && tree.Equal(c.Old, c.New) {
			continue
		}
		if m, at := setting.MeaningOf(o.Kind, c.Path); m != nil {
			if seen[at.String()] {
				continue
			}
			if !areas[at.String()] {
				if all := meant(o, m, at); all != nil && stays(o, m, at) {
					seen[at.String()] = true
					list = append(list, all...)
					continue
				}
				areas[at.String()] = true
			}
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
		Differences(path, old, now, inOld, inNew, func(path fieldpath.Path, old, now any, inOld, inNew bool) {
			does := setting.Effect(o.Kind, path, old, now, inOld, inNew, o.Result)
			does.Says = setting.Change{Path: path, Old: old, New: now, Before: o.Before, After: o.Result, Find: o.Find}.Fill(does.Says)
			if c.Reason == explain.Excluded {
				along = append(along, Consequence{does, slices.Clone(path)})
				return
			}
			list = append(list, Consequence{does, slices.Clone(path)})
		})
	}
	if !slices.ContainsFunc(list, func(c Consequence) bool { return c.Class != setting.Nothing }) {
		return append(along, list...)
	}
	return list
}

// byServer reports whether a field gets a value that only the server chooses, which follows from another
// field that changes.
func byServer(c explain.Change) bool {
	return c.Reason == explain.Defaulted && !c.InOld && rehearsal.Chosen(c.Path[len(c.Path)-1].Field)
}

// stays reports whether an object has what a field is in before and after the apply, so that
// it is not in an item of a list that comes or goes, or a part of what does.
func stays(o *rehearsal.Outcome, m *setting.Meaning, at fieldpath.Path) bool {
	for n := range at {
		if at[n].Field == "" || m.Part && n == len(at)-2 {
			_, had := o.Find(at[:n+1], o.Before)
			if _, has := o.Find(at[:n+1], o.Result); !had || !has {
				return false
			}
		}
	}
	return true
}

// meant is what the change of a field does that has a meaning of its own; nil if its area
// says it.
func meant(o *rehearsal.Outcome, m *setting.Meaning, at fieldpath.Path) []Consequence {
	class, path := setting.AreaOf(o.Kind, at).Class, slices.Clone(at)
	switch turn, all := turned(o, m, at); turn {
	case setting.Other:
		return nil
	case setting.Same:
		return []Consequence{{setting.Does{Class: setting.Nothing, Says: "the same " + path.String() + ", written differently"}, path}}
	default:
		var list []Consequence
		for _, says := range all {
			list = append(list, Consequence{setting.Does{Class: cmp.Or(m.Class, class), Says: says, Safer: turn == setting.Safer}, path})
		}
		return list
	}
}

// turned is what a change does to the meaning of a field, the worst of its containers, and what says it.
func turned(o *rehearsal.Outcome, m *setting.Meaning, at fieldpath.Path) (turn setting.Turn, says []string) {
	turn = setting.Same
	for _, v := range valuesOf(o, m, at) {
		if t, text := m.Compare(o.Identity().Namespace, v.was, v.is); t != setting.Same && turn != setting.Weaker {
			fill := func(text string) string {
				return m.Fill(setting.Change{Path: at, Old: v.was, New: v.is, Before: o.Before, After: o.Result, Find: o.Find}, text)
			}
			turn, says = t, []string{fill(text)}
			if t == setting.Both && m.Both == "" {
				says = append(says, fill(m.Less))
			}
		}
	}
	return turn, says
}

// MeansSame reports whether the apply leaves the meaning of what a field is in as it is.
func MeansSame(o *rehearsal.Outcome, path fieldpath.Path) bool {
	m, at := setting.MeaningOf(o.Kind, path)
	if m == nil || !stays(o, m, at) {
		return false
	}
	type same struct{ memo.Table[string, bool] } // by path
	known := rehearsal.Remember(o, func() *same { return &same{} })
	return known.Get(at.String(), func() bool {
		turn, _ := turned(o, m, at)
		return turn == setting.Same
	})
}

type values struct{ was, is any }

// valuesOf are the values of a field before and after the apply: of one that containers
// have from their pod, those of each container that stays.
func valuesOf(o *rehearsal.Outcome, m *setting.Meaning, at fieldpath.Path) (list []values) {
	was, _ := o.Find(at, o.Before)
	is, _ := o.Find(at, o.Result)
	if !m.OfPod {
		return []values{{was, is}}
	}
	place := setting.PodSpecOf(o.Kind)
	spec := strings.Split(place, ".")
	var only any
	if in := at[:len(at)-2]; in[len(in)-1].Field == "" {
		c, _ := o.Find(in, o.Result)
		only = tree.Map(c)["name"]
	}
	field := at[len(at)-1].Field
	of := func(pod, container any) any {
		if v, has := tree.Get(container, "securityContext", field); has {
			return v
		}
		v, _ := tree.Get(pod, "securityContext", field)
		return v
	}
	before, after := tree.Map(o.Before, spec...), tree.Map(o.Result, spec...)
	for _, kind := range []string{"initContainers", "containers"} {
		for _, container := range tree.List(after, kind) {
			name := tree.String(container, "name")
			if only != nil && only != name {
				continue
			}
			for _, old := range tree.List(before, kind) {
				if tree.String(old, "name") == name {
					list = append(list, values{of(before, old), of(after, container)})
				}
			}
		}
	}
	return list
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

// Differences yields where two values differ, each of which may be absent. Of lists, which do not
// merge here, the items that both have are the same wherever they stand.
func Differences(path fieldpath.Path, old, now any, inOld, inNew bool, yield func(path fieldpath.Path, old, now any, inOld, inNew bool)) {
	was, oldList := old.([]any)
	is, newList := now.([]any)
	if oldList && newList && len(was)+len(is) > 0 {
		gone, come := without(was, is), without(is, was)
		if len(gone) == len(come) {
			for n, i := range come {
				Differences(path.Item(i), was[gone[n]], is[i], true, true, yield)
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
			Differences(path.Child(key), x, y, inX, inY, yield)
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
