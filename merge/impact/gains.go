package impact

import (
	"cmp"
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
	from      manifest.Identity
	container string
}

// gains are what the pods of a workload get that they did not have: Secrets, tokens and volumes
// that this apply does not create, and images of other publishers.
func (c *cluster) gains(o *rehearsal.Outcome) (list []Consequence) {
	if o.Kind.GroupKind() == "ConfigMap" && o.Before == nil && o.Result != nil && c.byName(o.Identity()) {
		return []Consequence{{setting.Does{Class: setting.Data, Says: "a program here is told to read a ConfigMap of this name"}, fieldpath.New("data")}}
	}
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
		if o.Before == nil && image.Moving() {
			list = append(list, Consequence{setting.Does{Class: setting.Access, Says: "its pods run whatever the tag " + cmp.Or(image.Tag, "latest") + " names when they start"}, image.Path})
		}
	}
	at := fieldpath.New(strings.Split(place, ".")...)
	pod, container := map[setting.Does]bool{}, map[gained]bool{}
	for _, g := range gainsOf(tree.Map(o.Before, strings.Split(place, ".")...), at, o.Manifest.Namespace) {
		pod[g.Does], container[gained{g.Does, g.container}] = true, true
	}
	for _, g := range gainsOf(tree.Map(o.Result, strings.Split(place, ".")...), at, o.Manifest.Namespace) {
		p, planned := c.planned[g.from]
		of := gained{g.Does, g.container}
		if container[of] || planned && p.Outcome().Action == rehearsal.Created {
			continue
		}
		if says := g.Does; pod[g.Does] && !container[gained{g.Does, ""}] {
			says.Says = strings.Replace(says.Says, "new pods", "container "+fieldpath.Line(g.container), 1) + ", too"
			list = append(list, Consequence{says, g.path})
		} else if !pod[g.Does] {
			list = append(list, Consequence{g.Does, g.path})
		}
		pod[g.Does], container[of] = true, true
	}
	return append(list, c.joins(o, at[:len(at)-1].Child("metadata").Child("labels"))...)
}

// gained is what a container gets; its name is "" of what no container of the pod mounts.
type gained struct {
	setting.Does
	container string
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

// loaders are variables by which the loader of programs (ld.so(8)) and shells run code besides.
var loaders = []string{"LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "BASH_ENV"}

// gainsOf are those of the containers of the spec of a pod, in order: what is in a volume is of those that
// mount it.
func gainsOf(spec tree.Object, at fieldpath.Path, namespace string) (list []gain) {
	of := []string{""}
	add := func(class setting.Class, says, kind, name string, path fieldpath.Path) {
		for _, container := range of {
			list = append(list, gain{setting.Does{Class: class, Says: says + fieldpath.Line(name)}, slices.Clone(path), manifest.Identity{Kind: kind, Namespace: namespace, Name: name}, container})
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
			if key := tree.String(v, "name"); slices.Contains(loaders, key) {
				add(setting.Access, "new pods load the code that a variable names: ", "", key, path)
			}
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
	if name := tree.String(spec, "serviceAccountName"); name != "" && name != "default" && spec["automountServiceAccountToken"] != false {
		add(setting.Access, "new pods act as the ServiceAccount ", "ServiceAccount", name, at.Child("serviceAccountName"))
	}
	mounting := map[string][]string{}
	for _, field := range []string{"containers", "initContainers"} {
		for n, c := range tree.List(spec, field) {
			of = []string{tree.String(c, "name")}
			for _, m := range tree.List(c, "volumeMounts") {
				mounting[tree.String(m, "name")] = append(mounting[tree.String(m, "name")], of[0])
			}
			walk(c, at.Child(field).Item(n))
		}
	}
	for n, v := range tree.List(spec, "volumes") {
		here := at.Child("volumes").Item(n)
		if of = mounting[tree.String(v, "name")]; of == nil {
			of = []string{""}
		}
		for _, source := range tree.Keys(tree.Map(v)) {
			switch name := tree.String(v, source, "claimName"); {
			case source == "persistentVolumeClaim":
				add(setting.Storage, "new pods use the PersistentVolumeClaim ", "PersistentVolumeClaim", name, here)
			case !slices.Contains(own, source):
				add(setting.Storage, "new pods mount a volume of ", "", strings.TrimSpace(source+" "+tree.String(v, source, "driver")), here)
			}
		}
		walk(v, here)
	}
	return list
}
