package impact

import (
	"maps"

	"threeway/merge/fieldpath"
	"threeway/merge/impact/setting"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/selector"
	"threeway/merge/tree"
)

// joins are the Services that new pods join or leave by their labels: those that are there already and keep
// their selector. service-loses-pods tells of one that is left without pods, and renamed-object of a renamed
// workload.
func (c *cluster) joins(o *rehearsal.Outcome, at fieldpath.Path) (list []Consequence) {
	was, _ := at.Find(o.Before)
	is, _ := at.Find(o.Result)
	if n, set := tree.Int(o.Result, "spec", "replicas"); tree.Equal(was, is) || set && n == 0 {
		return nil
	}
	both := tree.Object{}
	maps.Copy(both, tree.Map(was))
	maps.Copy(both, tree.Map(is))
	for _, key := range tree.Keys(both) {
		for _, s := range c.services.Get(o.Manifest.Namespace, func() map[string][]service { return c.servicesOf(o.Manifest.Namespace) })[key] {
			had, has := o.Before != nil && s.selects.Matches(tree.Map(was)), s.selects.Matches(tree.Map(is))
			if had == has {
				continue
			}
			says, others := "Service "+s.name+" sends traffic to the new pods", c.othersRun(o, s.selects)
			switch {
			case has && others:
				says += ", too"
			case had:
				says = "Service " + s.name + " sends no traffic to the new pods"
			}
			if others && !c.renamed()[o] || has && o.Before != nil {
				list = append(list, Consequence{setting.Does{Class: setting.Traffic, Says: says}, at})
			}
		}
	}
	return list
}

// service is one with the selector that it has before and after the apply.
type service struct {
	name    string
	selects selector.Selector
}

// servicesOf are those of a namespace, each by the first key of its selector.
func (c *cluster) servicesOf(namespace string) map[string][]service {
	found := map[string][]service{}
	for _, obj := range c.ofKind("Service") {
		id := manifest.Identity{Kind: "Service", Namespace: namespace, Name: tree.String(obj, "metadata", "name")}
		labels := tree.Map(obj, "spec", "selector")
		if s := selectorOf(schema.Kind{Version: "v1", Kind: "Service"}, labels); s != nil && tree.String(obj, "metadata", "namespace") == namespace && tree.Equal(tree.Map(c.before(id), "spec", "selector"), labels) {
			first := tree.Keys(labels)[0]
			found[first] = append(found[first], service{id.Name, s})
		}
	}
	return found
}

func (c *cluster) findRenamed() map[*rehearsal.Outcome]bool {
	found := map[*rehearsal.Outcome]bool{}
	for _, r := range c.renames() {
		found[r.New] = true
	}
	return found
}
