package rehearsal

import (
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
	find := func(match func(k schema.Kind, plural string) bool) (prune.Kind, bool) {
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
			if match(k, tree.String(spec, "names", "plural")) {
				return kindOf(k), true
			}
		}
		return prune.Kind{}, false
	}
	return prune.Catalog{
		ByResource: func(group, plural string) (prune.Kind, bool) {
			return find(func(k schema.Kind, p string) bool {
				return k.Group == group && (p == plural || p == plural+"s" || strings.EqualFold(k.Kind, plural))
			})
		},
		ByKind: func(group, kind string) (prune.Kind, bool) {
			return find(func(k schema.Kind, _ string) bool { return k.Group == group && k.Kind == kind })
		},
		Resource: r.Catalog.Plural,
	}
}
