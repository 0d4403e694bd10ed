package impact

import (
	"maps"
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/impact/setting"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/selector"
	"threeway/merge/tree"
)

// gain is what pods get from outside of their own manifest.
type gain struct {
	setting.Does
	path fieldpath.Path
	// from is the object that it is of; one that comes with the same apply tells nothing new.
	from manifest.Identity
}

// gains are what the pods of a workload get that they did not have: Secrets, tokens and volumes
// that this apply does not create, and images of other publishers.
func (c *cluster) gains(o *rehearsal.Outcome) (list []Consequence) {
	place := setting.PodSpecOf(o.Kind)
	if place == "" || o.Result == nil || o.Before == nil && c.knowsNothing() {
		return nil
	}
	known, says := setting.Publishers(o.Kind, o.Before), "new pods run an image from a registry or owner that none of their images came from"
	if o.Before == nil {
		known, says = c.publishers(), "its pods run an image from a registry or owner that no workload here uses"
	}
	for _, image := range setting.Images(o.Kind, o.Result) {
		if len(known) > 0 && !known[image.Owner()] {
			list = append(list, Consequence{setting.Does{Class: setting.Access, Says: says}, image.Path})
		}
	}
	at := fieldpath.New(strings.Split(place, ".")...)
	had := map[setting.Does]bool{}
	for _, g := range gainsOf(tree.Map(o.Before, strings.Split(place, ".")...), at, o.Manifest.Namespace) {
		had[g.Does] = true
	}
	for _, g := range gainsOf(tree.Map(o.Result, strings.Split(place, ".")...), at, o.Manifest.Namespace) {
		if p, planned := c.planned[g.from]; !had[g.Does] && !(planned && p.Outcome().Action == rehearsal.Created) {
			had[g.Does] = true
			list = append(list, Consequence{g.Does, g.path})
		}
	}
	return append(list, c.joins(o, at[:len(at)-1].Child("metadata").Child("labels"))...)
}

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
	for _, r := range Renames(c.plan) {
		found[r.New] = true
	}
	return found
}

// knowsNothing reports whether nothing is known that could be there before the apply.
func (c *cluster) knowsNothing() bool { return !c.base && len(c.live.Entries) == 0 }

// findPublishers are those of all images that workloads run before the apply.
func (c *cluster) findPublishers() map[string]bool {
	known := map[string]bool{}
	add := func(o *manifest.Object, obj tree.Object) {
		for owner := range setting.Publishers(o.Kind, obj) {
			known[owner] = true
		}
	}
	for _, p := range c.plan.Set {
		if setting.PodSpecOf(p.Manifest.Kind) != "" {
			add(p.Manifest, p.Outcome().Before)
		}
	}
	for _, e := range c.live.Entries {
		if _, planned := c.planned[e.ID()]; !planned && len(e.Owners) == 0 && setting.PodSpecOf(e.Kind) != "" {
			add(e.Object(), e.Object().Tree)
		}
	}
	return known
}

// own are the sources of volumes that hold nothing but what the pod itself writes, or that others
// tell of: a directory of the node, an image and a ConfigMap.
var own = []string{"name", "emptyDir", "configMap", "downwardAPI", "ephemeral", "hostPath", "image", "projected", "secret"}

// gainsOf are those of the spec of a pod, in order.
func gainsOf(spec tree.Object, at fieldpath.Path, namespace string) (list []gain) {
	add := func(class setting.Class, says, kind, name string, path fieldpath.Path) {
		list = append(list, gain{setting.Does{Class: class, Says: says + fieldpath.Line(name)}, slices.Clone(path), manifest.Identity{Kind: kind, Namespace: namespace, Name: name}})
	}
	for n, v := range tree.List(spec, "volumes") {
		here := at.Child("volumes").Item(n)
		for _, source := range tree.Keys(tree.Map(v)) {
			switch name := tree.String(v, source, "claimName"); {
			case source == "persistentVolumeClaim":
				add(setting.Storage, "new pods use the PersistentVolumeClaim ", "PersistentVolumeClaim", name, here)
			case !slices.Contains(own, source):
				add(setting.Storage, "new pods mount a volume of ", "", strings.TrimSpace(source+" "+tree.String(v, source, "driver")), here)
			}
		}
	}
	var walk func(v any, path fieldpath.Path)
	walk = func(v any, path fieldpath.Path) {
		switch v := v.(type) {
		case []any:
			for n, item := range v {
				walk(item, path.Item(n))
			}
		case tree.Object:
			for _, key := range tree.Keys(v) {
				name := ""
				switch lower := strings.ToLower(key); {
				case lower == "secretname":
					name = tree.String(v, key)
				case strings.HasSuffix(lower, "secretref"), lower == "secretkeyref", lower == "secret":
					name = tree.String(v, key, "name")
				case key == "serviceAccountToken":
					audience := tree.String(v, key, "audience")
					if audience == "" {
						audience = "the API server"
					}
					add(setting.Access, "new pods get a token for ", "", audience, path)
				}
				if name != "" {
					add(setting.Access, "new pods read the Secret ", "Secret", name, path)
				}
				walk(v[key], path.Child(key))
			}
		}
	}
	for _, field := range []string{"containers", "initContainers", "volumes"} {
		walk(spec[field], at.Child(field))
	}
	return list
}
