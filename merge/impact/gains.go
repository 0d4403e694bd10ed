package impact

import (
	"cmp"
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/impact/setting"
	"threeway/merge/kube/schema"
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
	// whole is the gain of a Secret of which this is one key; nothing new where that was there.
	whole setting.Does
}

// gains are what the pods of a workload get that they did not have: Secrets, tokens and volumes
// that this apply does not create, and images of other publishers.
func (c *cluster) gains(o *rehearsal.Outcome) (list []Consequence) {
	if o.Kind.GroupKind() == "ConfigMap" && o.Before == nil && o.Result != nil && c.byName(o.Identity()) {
		return []Consequence{{setting.Does{Class: setting.Data, Says: "a program here is told to read a ConfigMap of this name"}, fieldpath.New("data")}}
	}
	if o.Before == nil && o.Kind.GroupKind() == "Secret" && tree.String(o.Result, "type") == "helm.sh/release.v1" {
		return []Consequence{{setting.Does{Class: setting.Controller, Says: "Helm takes it for a release"}, fieldpath.New("type")}}
	}
	list = c.toldOf(o)
	place := setting.PodSpecOf(o.Kind)
	if place == "" || o.Result == nil || o.Before == nil && c.knowsNothing() {
		return list
	}
	known, says := setting.Publishers(o.Kind, o.Before), "new pods run an image from a registry or owner that none of their images came from"
	if o.Before == nil {
		known, says = c.publishers(), "its pods run an image from a registry or owner that no workload here uses"
	}
	were := imagesOf(o.Kind, o.Before)
	for _, image := range setting.Images(o.Kind, o.Result) {
		if len(known) > 0 && !known[image.Owner()] {
			list = append(list, Consequence{setting.Does{Class: setting.Access, Says: says}, image.Path})
		} else if was, ran := were[imaged(o.Result, image.Path)]; ran && (was.Registry != image.Registry || was.Repository != image.Repository) {
			list = append(list, Consequence{setting.Does{Class: setting.Protection, Says: "a container runs another program"}, image.Path})
		} else if ran && image.Older(was) {
			list = append(list, Consequence{setting.Does{Class: setting.Protection, Says: "a container runs an older version of its program"}, image.Path})
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
		if container[of] || container[gained{g.whole, g.container}] || container[gained{g.whole, ""}] || planned && p.Outcome().Action == rehearsal.Created {
			continue
		}
		if says := g.Does; (pod[g.Does] || pod[g.whole]) && !container[gained{g.Does, ""}] {
			says.Says = strings.Replace(says.Says, "new pods", "container "+fieldpath.Line(g.container), 1) + ", too"
			list = append(list, Consequence{says, g.path})
		} else if !pod[g.Does] {
			list = append(list, Consequence{g.Does, g.path})
		}
		pod[g.Does], container[of] = true, true
	}
	if o.Before == nil {
		list = append(list, comes(tree.Map(o.Result, strings.Split(place, ".")...), at, o.Manifest.Namespace)...)
	}
	return append(list, c.joins(o, at[:len(at)-1].Child("metadata").Child("labels"))...)
}

// imagesOf are the images of an object by the container or the volume.
func imagesOf(kind schema.Kind, obj tree.Object) map[string]setting.Image {
	all := map[string]setting.Image{}
	for _, image := range setting.Images(kind, obj) {
		all[imaged(obj, image.Path)] = image.Image
	}
	return all
}

// imaged is the container or the volume that an image is of, by its list and its name.
func imaged(obj tree.Object, image fieldpath.Path) string {
	n := len(image) - 1
	for image[n].Field != "" {
		n--
	}
	item, _ := image[:n+1].Find(obj)
	return image[:n].String() + "/" + tree.String(item, "name")
}

// comes are what the pods of a new workload do beside running the programs of their images.
func comes(spec tree.Object, at fieldpath.Path, namespace string) (list []Consequence) {
	add := func(is bool, class setting.Class, says string, path fieldpath.Path) {
		if is {
			list = append(list, Consequence{setting.Does{Class: class, Says: says}, path})
		}
	}
	for _, field := range []string{"initContainers", "containers"} {
		for n, c := range tree.List(spec, field) {
			add(setting.RunsScript(tree.List(c, "command")), setting.Protection, "its pods run a script from the manifest", at.Child(field).Item(n).Child("command"))
		}
	}
	add(setting.OfCluster(namespace), setting.Access, "its pods run in a namespace of the cluster itself", at)
	add(strings.HasPrefix(tree.String(spec, "priorityClassName"), "system-"), setting.Protection, "its pods may preempt all other pods", at.Child("priorityClassName"))
	for n, t := range tree.List(spec, "tolerations") {
		add(tree.String(t, "key") == "", setting.Placement, "its pods run on every node, regardless of its taints", at.Child("tolerations").Item(n))
	}
	return list
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
	c.each(func(kind schema.Kind, obj tree.Object) {
		for owner := range setting.Publishers(kind, obj) {
			known[owner] = true
		}
	})
	return known
}

// each visits the workloads that no other object owns, and the objects of further kinds, as they are before the apply.
func (c *cluster) each(visit func(kind schema.Kind, obj tree.Object), further ...string) {
	is := func(kind schema.Kind) bool {
		return setting.PodSpecOf(kind) != "" || slices.Contains(further, kind.GroupKind())
	}
	for _, p := range c.plan.Set {
		if is(p.Manifest.Kind) {
			visit(p.Manifest.Kind, p.Outcome().Before)
		}
	}
	for _, e := range c.live.Entries {
		if _, planned := c.planned[e.ID()]; !planned && len(e.Owners) == 0 && is(e.Kind) {
			visit(e.Kind, e.Object().Tree)
		}
	}
}

// own are the sources of volumes that hold nothing but what the pod itself writes, or that others
// tell of: a directory of the node, an image and a ConfigMap.
var own = []string{"name", "emptyDir", "configMap", "downwardAPI", "ephemeral", "hostPath", "image", "projected", "secret"}

// gainsOf are those of the containers of the spec of a pod, in order: what is in a volume is of those that
// mount it.
func gainsOf(spec tree.Object, at fieldpath.Path, namespace string) (list []gain) {
	of := []string{""}
	add := func(class setting.Class, says, kind, name string, path fieldpath.Path) {
		for _, container := range of {
			list = append(list, gain{Does: setting.Does{Class: class, Says: says + fieldpath.Line(name)}, path: slices.Clone(path), from: manifest.Identity{Kind: kind, Namespace: namespace, Name: name}, container: container})
		}
	}
	secret := func(name string, keys []string, path fieldpath.Path) {
		const says = "new pods read the Secret "
		if keys == nil {
			add(setting.Access, says, "Secret", name, path)
			return
		}
		from := len(list)
		for _, key := range keys {
			add(setting.Access, "new pods read the key "+fieldpath.Line(key)+" of the Secret ", "Secret", name, path)
		}
		for n := range list[from:] {
			list[from+n].whole = setting.Does{Class: setting.Access, Says: says + fieldpath.Line(name)}
		}
	}
	var walk func(v any, path fieldpath.Path)
	walk = func(v any, path fieldpath.Path) {
		switch v := v.(type) {
		case []any:
			for n, item := range v {
				walk(item, append(path, fieldpath.Step{Index: n, IsIndex: true}))
			}
		case tree.Object:
			for _, key := range tree.Keys(v) {
				name, keys := "", []string(nil)
				switch lower := strings.ToLower(key); {
				case lower == "secretname":
					name, keys = tree.String(v, key), keysOf(v)
				case lower == "secretkeyref":
					name, keys = tree.String(v, key, "name"), []string{tree.String(v, key, "key")}
				case strings.HasSuffix(lower, "secretref"), lower == "secret":
					name, keys = tree.String(v, key, "name"), keysOf(v[key])
				case key == "clusterTrustBundle":
					add(setting.Access, "new pods may trust the certificates of ", "", tree.String(v, key, "name")+tree.String(v, key, "signerName"), path)
				case key == "serviceAccountToken":
					audience := tree.String(v, key, "audience")
					if audience == "" {
						audience = "the API server"
					}
					add(setting.Access, "new pods get a token for ", "", audience, path)
				}
				if name != "" {
					secret(name, keys, path)
				}
				walk(v[key], append(path, fieldpath.Step{Field: key}))
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
			walk(c, slices.Grow(at.Child(field).Item(n), 16))
			for _, s := range shown(c, at.Child(field).Item(n)) {
				add(setting.Access, "new pods have the value of a Secret in "+s.name+", of ", "Secret", s.secret, s.path)
			}
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

// keysOf are the keys of a Secret that a volume has; nil if it has all.
func keysOf(source any) (keys []string) {
	for _, item := range tree.List(source, "items") {
		keys = append(keys, tree.String(item, "key"))
	}
	return keys
}

// show is an argument or a variable in which the value of a variable stands that a Secret has.
type show struct {
	name, secret string
	path         fieldpath.Path
}

var variable = compiled(`\$?\$\(([^()]+)\)`)

// shown are those of a container: what it gets by envFrom may be any variable that it does not set.
func shown(container any, at fieldpath.Path) (list []show) {
	from, set, all := map[string]string{}, map[string]bool{}, ""
	for _, e := range tree.List(container, "envFrom") {
		all = cmp.Or(all, tree.String(e, "secretRef", "name"))
	}
	look := func(text, name string, path fieldpath.Path) {
		for _, found := range variable().FindAllStringSubmatch(text, -1) {
			secret := from[found[1]]
			if !set[found[1]] {
				secret = all
			}
			if secret != "" && !strings.HasPrefix(found[0], "$$") {
				list = append(list, show{fieldpath.Line(name), secret, path})
			}
		}
	}
	for n, e := range tree.List(container, "env") {
		name := tree.String(e, "name")
		look(tree.String(e, "value"), "the variable "+name, at.Child("env").Item(n))
		set[name], from[name] = true, tree.String(e, "valueFrom", "secretKeyRef", "name")
	}
	for _, field := range []string{"command", "args"} {
		for n, word := range tree.List(container, field) {
			text, _ := word.(string)
			flag, _, is := strings.Cut(text, "=")
			if !is || strings.ContainsAny(flag, " $") {
				flag = field
			}
			look(text, flag, at.Child(field).Item(n))
		}
	}
	return list
}
