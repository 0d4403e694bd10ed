package impact

import (
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/impact/setting"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
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
	return list
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
