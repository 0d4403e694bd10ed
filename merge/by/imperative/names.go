package imperative

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/version"

	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// Resources are the names of what a cluster serves.
type Resources struct {
	Minor int
	// Definitions are its CustomResourceDefinitions.
	Definitions []*manifest.Object
}

// kind is the kind of a resource as kubectl finds it by deploy, Deployment,
// deployments.apps or deployments.v1.apps: of built-in ones first, of those the core group,
// and in the version that the server prefers.
func (r Resources) kind(name string) (found schema.Resource, err error) {
	resource, group, _ := strings.Cut(strings.ToLower(name), ".")
	resource = schema.LongName(resource)
	var all []schema.Resource
	add := func(res schema.Resource, names ...string) {
		fits := group == "" || group == res.Group || group == res.Version+"."+res.Group
		if !fits || !slices.Contains(names, resource) {
			return
		}
		at := slices.IndexFunc(all, func(o schema.Resource) bool { return o.Group == res.Group })
		switch {
		case at < 0:
			all = append(all, res)
		case version.CompareKubeAwareVersionStrings(all[at].Version, res.Version) < 0:
			all[at] = res
		}
	}
	for _, res := range schema.Resources() {
		if res.In(r.Minor) && res.OnByDefault() {
			add(res, res.Plural, strings.ToLower(res.Kind.Kind))
		}
	}
	if len(all) == 0 {
		for _, d := range r.Definitions {
			spec := tree.Map(d.Tree, "spec")
			names := []string{tree.String(spec, "names", "plural"), strings.ToLower(tree.String(spec, "names", "kind")), tree.String(spec, "names", "singular")}
			for _, s := range tree.List(spec, "names", "shortNames") {
				names = append(names, fmt.Sprint(s))
			}
			k := schema.Kind{Group: tree.String(spec, "group"), Kind: tree.String(spec, "names", "kind")}
			for _, v := range tree.List(spec, "versions") {
				if k.Version = tree.String(v, "name"); !tree.Bool(v, "served") {
					continue
				}
				add(schema.Resource{Kind: k, Plural: names[0], Namespaced: tree.String(spec, "scope") != "Cluster"}, names...)
			}
		}
	}
	switch {
	case len(all) == 0:
		return found, fmt.Errorf("the kind of %q is unknown: a CustomResourceDefinition in the snapshot, or --crd, would tell", name)
	case len(all) > 1 && all[0].Group != "":
		return found, fmt.Errorf("%q is a resource of several API groups; write RESOURCE.GROUP", name)
	}
	return all[0], nil
}

// Absent is the manifest of an object that is not there.
func (t Target) Absent(namespace string) *manifest.Object {
	o := &manifest.Object{Kind: t.Kind, Name: t.Name, Tree: tree.Object{"apiVersion": t.APIVersion(), "kind": t.Kind.Kind, "metadata": tree.Object{"name": t.Name}}}
	if t.Namespaced {
		o.Namespace, o.GivenNamespace = namespace, namespace
		tree.Set(o.Tree, namespace, "metadata", "namespace")
	}
	return o
}

// Target is one object that a command names, or all of a kind that a selector matches.
type Target struct {
	schema.Resource
	Name string // "" for all
}

// Targets are what the words of a command name, as ResourceTypeOrNameArgs of cli-runtime
// reads them: KIND/NAME …, KIND NAME …, or KIND[,KIND] with -l or --all.
func (c *Command) Targets(r Resources) (list []Target, err error) {
	words := c.Args
	many := c.Has("all") || c.Has("selector") || strings.HasPrefix(c.Verb, "rollout ")
	add := func(resource, name string) {
		found, no := r.kind(resource)
		if err == nil {
			err = no
		}
		if t := (Target{found, name}); !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	switch slashes := slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "/") }); {
	case len(words) == 0:
		return nil, fmt.Errorf("kubectl %s names no objects", c.Verb)
	case (slashes || len(words) > 1) && (c.Has("all") || c.Has("selector")):
		return nil, fmt.Errorf("kubectl takes names or --all and -l, not both")
	case slashes:
		for _, word := range words {
			kind, name, _ := strings.Cut(word, "/")
			if kind == "" || name == "" || strings.Contains(name, "/") || strings.Contains(kind, ",") {
				return nil, fmt.Errorf("%s is not of the form KIND/NAME", word)
			}
			add(kind, name)
		}
	case len(words) == 1 && !many:
		return nil, fmt.Errorf("%s has no name, and neither -l nor --all is there", words[0])
	default:
		for _, kind := range strings.Split(words[0], ",") {
			for _, name := range words[1:] {
				add(kind, name)
			}
			if len(words) == 1 {
				add(kind, "")
			}
		}
	}
	return list, err
}

// In lists the live objects of a target in a namespace.
func (t Target) In(live *manifest.Snapshot, namespace string, selects func(labels tree.Object) bool) (list []*manifest.Entry) {
	if !t.Namespaced {
		namespace = ""
	}
	for _, e := range live.EntriesOfKind(t.GroupKind()) {
		if e.Namespace == namespace && (t.Name == e.Name || t.Name == "" && selects(tree.Map(e.Object().Tree, "metadata", "labels"))) {
			list = append(list, e)
		}
	}
	return list
}
