package rehearsal

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/prune"
	"threeway/merge/tree"
)

// ApplySets is the catalog as ApplySets ask it.
func (r *Run) ApplySets() prune.Catalog {
	kindOf := func(k schema.Kind) prune.Kind {
		namespaced, _ := r.Catalog.Scope(k)
		return prune.Kind{Kind: k, Namespaced: namespaced}
	}
	find := func(match func(k schema.Kind, names ...string) bool) (prune.Kind, bool) {
		for _, resource := range schema.Resources() {
			if resource.In(r.Minor) && resource.OnByDefault() && match(resource.Kind, resource.Plural) {
				return kindOf(resource.Kind), true
			}
		}
		for o := range r.Live.OfKind(DefinitionKind) {
			spec := tree.Map(o.Tree, "spec")
			k := schema.Kind{Group: tree.String(spec, "group"), Kind: tree.String(spec, "names", "kind")}
			for _, v := range tree.List(spec, "versions") {
				if tree.Bool(v, "served") {
					k.Version = tree.String(v, "name")
					break
				}
			}
			names := []string{tree.String(spec, "names", "plural"), tree.String(spec, "names", "singular")}
			for _, short := range tree.List(spec, "names", "shortNames") {
				names = append(names, fmt.Sprint(short))
			}
			if match(k, names...) {
				return kindOf(k), true
			}
		}
		return prune.Kind{}, false
	}
	return prune.Catalog{
		// apimachinery pkg/api/meta/restmapper.go ResourcesFor: without a group, any; else the
		// group, or one that begins with it.
		ByResource: func(group, name string) (k prune.Kind, ok bool) {
			name = schema.LongName(strings.ToLower(name))
			for _, fits := range []func(string) bool{
				func(of string) bool { return group == "" || of == group },
				func(of string) bool { return strings.HasPrefix(of, group) },
			} {
				k, ok = find(func(k schema.Kind, names ...string) bool {
					return fits(k.Group) && slices.Contains(append(names, strings.ToLower(k.Kind)), name)
				})
				if ok {
					return k, true
				}
			}
			return k, false
		},
		ByKind: func(group, kind string) (prune.Kind, bool) {
			return find(func(k schema.Kind, _ ...string) bool { return k.Group == group && k.Kind == kind })
		},
		Resource: r.Catalog.Plural,
	}
}
