package setting

import (
	"cmp"
	"slices"

	"threeway/merge/tree"
)

// orNone is a canonical map, empty if there is none.
func orNone(_ string, v any) any {
	if v == nil {
		return map[string]any{}
	}
	return Canonical(v)
}

// orEmpty is a canonical list, empty if there is none.
func orEmpty(_ string, v any) any {
	if list := tree.List(Canonical(v)); list != nil {
		return list
	}
	return []any{}
}

// eachIn reports whether each item of a list is in one of another, as in says of two.
func eachIn(inner, outer any, in func(a, b any) bool) bool {
	return !slices.ContainsFunc(tree.List(inner), func(a any) bool {
		return !slices.ContainsFunc(tree.List(outer), func(b any) bool { return in(a, b) })
	})
}

// taints are those that a pod tolerates, as kubectl taint writes them.
func taints(v any) any {
	var list []any
	for _, t := range tree.List(v) {
		text := cmp.Or(tree.String(t, "key"), "all taints")
		if value := tree.String(t, "value"); value != "" {
			text += "=" + value
		}
		if effect := tree.String(t, "effect"); effect != "" {
			text += ":" + effect
		}
		list = append(list, text)
	}
	return list
}

// avoided is the domain, such as a node, that pods do not share with those that they avoid; nil if an
// affinity says more than that.
func avoided(v any) any {
	terms := tree.List(v, "podAntiAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
	if len(terms) != 1 || len(tree.Map(v)) != 1 || len(tree.Map(v, "podAntiAffinity")) != 1 {
		return nil
	}
	return tree.String(terms[0], "topologyKey")
}

func superset(inner, outer any) bool { return subset(outer, inner) }

// tolerates reports whether all that canonical tolerations tolerate is tolerated by others
// (component-helpers scheduling/corev1 Toleration.ToleratesTaint).
func tolerates(inner, outer any) bool {
	return eachIn(inner, outer, func(a, b any) bool {
		x, y := tree.Map(a), tree.Map(b)
		return tree.Equal(a, b) || tree.Equal(x["tolerationSeconds"], y["tolerationSeconds"]) && (y["effect"] == nil || y["effect"] == x["effect"]) &&
			y["operator"] == "Exists" && (y["key"] == nil || y["key"] == x["key"])
	})
}

// spread reports whether canonical constraints allow only what others allow, and prefer all that
// those prefer.
func spread(inner, outer any) bool {
	return eachIn(outer, inner, func(b, a any) bool {
		x, y := tree.CopyObject(tree.Map(a)), tree.CopyObject(tree.Map(b))
		order, ok := Compare(x["maxSkew"], y["maxSkew"])
		must := x["whenUnsatisfiable"] == "DoNotSchedule" || x["whenUnsatisfiable"] == y["whenUnsatisfiable"]
		for _, o := range []tree.Object{x, y} {
			delete(o, "maxSkew")
			delete(o, "whenUnsatisfiable")
		}
		return ok && order <= 0 && must && tree.Equal(x, y)
	})
}

// schedules reports whether a canonical affinity allows only nodes that another allows.
func schedules(inner, outer any) bool {
	const must = "requiredDuringSchedulingIgnoredDuringExecution"
	terms, others := tree.List(inner, "nodeAffinity", must, "nodeSelectorTerms"), tree.List(outer, "nodeAffinity", must, "nodeSelectorTerms")
	narrow := func(a any) bool { // one of the terms must match, with all of its expressions
		return slices.ContainsFunc(others, func(b any) bool {
			return subset(tree.List(b, "matchExpressions"), tree.List(a, "matchExpressions")) && subset(tree.List(b, "matchFields"), tree.List(a, "matchFields"))
		})
	}
	return (others == nil || terms != nil && !slices.ContainsFunc(terms, func(a any) bool { return !narrow(a) })) &&
		!slices.ContainsFunc([]string{"podAffinity", "podAntiAffinity"}, func(kind string) bool {
			return !subset(tree.List(outer, kind, must), tree.List(inner, kind, must))
		})
}
