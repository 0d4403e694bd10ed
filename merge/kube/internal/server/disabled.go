package server

import (
	"maps"
	"slices"
	"strings"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// dropDisabled drops the fields of features that are off from obj; old is nil
// on create.
func (b builtin) dropDisabled(obj, old tree.Object, minor int) {
	path := b.row.podSpec
	var spec tree.Object
	if path != nil {
		spec = tree.Map(obj, path...)
	}
	g := gated{minor: minor, old: old, root: b.typ}
	g.drop(obj, b.typ)
	for _, f := range minors.Fields {
		switch {
		case !f.DroppedBy(minor):
		case f.Type == b.typ.Name:
			dropUnlessUsed(obj, old, strings.Split(f.Path, "."))
		case f.Type == minors.PodSpec && spec != nil:
			dropUnlessUsed(spec, tree.Map(old, path...), strings.Split(f.Path, "."))
		}
	}
	if spec != nil {
		dropFromPodSpec(spec, tree.Map(old, path...), minor)
		if minors.InitAnnotationsInStrategy.In(minor) {
			dropAnnotations(tree.Map(obj, path[:len(path)-1]...), initContainerAnnotations)
		}
	}
	if b.row.drop != nil {
		b.row.drop(obj, old, minor)
	}
}

// gated drops fields of which upstream's types say the feature gate (+featureGate), if
// it is off in the minor and nothing in the old object uses the field.
type gated struct {
	minor int
	old   tree.Object
	root  *schema.Type
	used  map[*schema.Field]bool // in old; nil until something asks
}

func (g *gated) drop(v any, t *schema.Type) {
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			inner, f := t.Child(key)
			switch {
			case inner == nil || key == "status" && inner.Form == schema.Struct: // nor is that of a claim in a StatefulSet dropped
			case inner.Name == "core/v1.PersistentVolumeClaimSpec" && g.root.Name != "core/v1.PersistentVolumeClaim": // only the strategy of claims drops
			case f != nil && f.DroppedBy(g.minor) && !g.inUse(f):
				delete(v, key)
			default:
				g.drop(x, inner)
			}
		}
	case []any:
		for _, x := range v {
			if t.Form == schema.List {
				g.drop(x, t.Elem)
			}
		}
	}
}

func (g *gated) inUse(f *schema.Field) bool {
	if g.old == nil {
		return false
	}
	if g.used == nil {
		g.used = map[*schema.Field]bool{}
		g.note(g.old, g.root)
	}
	return g.used[f]
}

// note notes the gated fields that a value of a type uses.
func (g *gated) note(v any, t *schema.Type) {
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			inner, f := t.Child(key)
			if f != nil && f.Gated && x != nil {
				g.used[f] = true
			}
			if inner != nil {
				g.note(x, inner)
			}
		}
	case []any:
		for _, x := range v {
			if t.Form == schema.List {
				g.note(x, t.Elem)
			}
		}
	}
}

// dropFromPodSpec drops what is more than a field.
func dropFromPodSpec(spec, old tree.Object, minor int) {
	if !minors.ImageVolumes.In(minor) && !used(old, []string{"volumes", "*", "image"}) {
		dropImageVolumes(spec)
	}
	if minors.RestartPolicyVanishes.In(minor) && !used(old, []string{"containers", "*", "restartPolicy"}) {
		dropAt(spec, []string{"containers", "*", "restartPolicy"})
	}
	if minors.ProcMount.In(minor) {
		return
	}
	for _, list := range containerLists {
		for _, c := range tree.List(spec, list) {
			if tree.Has(c, "securityContext", "procMount") {
				tree.Set(tree.Map(c), "Default", "securityContext", "procMount")
			}
		}
	}
}

var containerLists = []string{"initContainers", "containers", "ephemeralContainers"}

// dropImageVolumes drops image volumes, and the mounts of those.
func dropImageVolumes(spec tree.Object) {
	var names []string
	kept := slices.DeleteFunc(slices.Clone(tree.List(spec, "volumes")), func(v any) bool {
		if tree.Has(v, "image") {
			names = append(names, tree.String(v, "name"))
		}
		return tree.Has(v, "image")
	})
	if len(names) == 0 {
		return
	}
	setList(spec, "volumes", kept)
	for _, list := range containerLists {
		for _, c := range tree.List(spec, list) {
			if mounts := tree.List(c, "volumeMounts"); len(mounts) > 0 {
				setList(tree.Map(c), "volumeMounts", slices.DeleteFunc(slices.Clone(mounts), func(m any) bool {
					return slices.Contains(names, tree.String(m, "name"))
				}))
			}
		}
	}
}

// setList sets a list, none if it has no items.
func setList(obj tree.Object, key string, items []any) {
	if len(items) == 0 {
		delete(obj, key)
		return
	}
	obj[key] = items
}

func dropUnlessUsed(obj, old tree.Object, steps []string) {
	if !used(old, steps) {
		dropAt(obj, steps)
	}
}

// used reports whether a value stands at the steps anywhere in v.
func used(v any, steps []string) bool {
	if len(steps) == 0 {
		return v != nil
	}
	if steps[0] == "*" {
		return slices.ContainsFunc(itemsOf(v), func(x any) bool { return used(x, steps[1:]) })
	}
	m, _ := v.(map[string]any)
	return m != nil && slices.ContainsFunc(strings.Split(steps[0], "|"), func(key string) bool { return used(m[key], steps[1:]) })
}

// itemsOf are those of a list or map.
func itemsOf(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case map[string]any:
		return slices.Collect(maps.Values(v))
	}
	return nil
}

// dropAt deletes the value at the steps wherever it stands. A lifecycle that
// held nothing else goes as well, as dropContainerStopSignals has it.
func dropAt(v any, steps []string) {
	if steps[0] == "*" {
		for _, x := range itemsOf(v) {
			dropAt(x, steps[1:])
		}
		return
	}
	m, _ := v.(map[string]any)
	keys := strings.Split(steps[0], "|")
	if len(steps) == 1 {
		drop(m, keys...)
		return
	}
	for _, key := range keys {
		next, _ := m[key].(map[string]any)
		full := len(next) > 0
		if m[key] != nil {
			dropAt(m[key], steps[1:])
		}
		if key == "lifecycle" && full && len(next) == 0 {
			delete(m, "lifecycle")
		}
	}
}
