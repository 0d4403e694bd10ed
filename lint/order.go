package lint

import (
	"slices"

	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// order is where the manifests of a set come, in kubectl's order.
type order struct {
	all         []*manifest.Object
	at          map[manifest.Identity][]int      // their places, ascending
	definitions map[schema.Kind]*manifest.Object // the first of each kind that is defined, without its version
}

func orderOf(set *manifest.Set) *order {
	in := &order{set.Objects, map[manifest.Identity][]int{}, map[schema.Kind]*manifest.Object{}}
	for i, o := range in.all {
		in.at[o.ID()] = append(in.at[o.ID()], i)
		if o.Kind.GroupKind() == "CustomResourceDefinition.apiextensions.k8s.io" {
			kind := schema.Kind{Group: tree.String(o.Tree, "spec", "group"), Kind: tree.String(o.Tree, "spec", "names", "kind")}
			if in.definitions[kind] == nil {
				in.definitions[kind] = o
			}
		}
	}
	return in
}

// after is the first manifest with that identity behind an object, or nil.
func (in *order) after(o *manifest.Object, id manifest.Identity) *manifest.Object {
	self := in.at[o.ID()]
	if len(self) == 0 {
		return nil
	}
	places := in.at[id]
	i, _ := slices.BinarySearch(places, self[0]+1)
	if i == len(places) {
		return nil
	}
	return in.all[places[i]]
}
