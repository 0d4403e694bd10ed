package rehearsal

import (
	"slices"
	"strings"
	"sync"

	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/memo"
	"threeway/merge/tree"
)

// Catalog knows the kinds that the cluster serves: the built-in ones, and
// those of its CustomResourceDefinitions.
type Catalog struct {
	minor    int
	live     *manifest.Snapshot
	whole    bool                   // live is all of the cluster: a base, or nothing
	served   map[string]*definition // of the snapshot and of --crd, by Kind.group
	upcoming map[string]*definition // of the config set: served only after it
	placed   map[schema.Kind]bool   // kinds, without versions, of which a manifest has a namespace
	schemas  *manifest.Schemas
	open     memo.Table[[2]schema.Kind, *kube.Definition]     // of unknown kinds, and of those with a schema alone, with the kind that is stored
	byKind   memo.Table[string, []tree.Object]                // by Kind.group
	within   memo.Table[string, map[string][]*manifest.Entry] // by Kind.group, then by namespace
	byPlace  memo.Table[place, []tree.Object]
}

// definition compiles a CustomResourceDefinition when it is first used.
type definition struct {
	plural     string
	namespaced bool
	versions   map[string]bool
	object     tree.Object
	compile    func() *kube.Definition
}

// DefinitionKind is that of the objects that define kinds.
const DefinitionKind = "CustomResourceDefinition.apiextensions.k8s.io"

// NewCatalog reads the definitions of the options.
func NewCatalog(opts Options) *Catalog {
	c := &Catalog{minor: opts.Minor, live: opts.Live, whole: opts.Assumed || opts.EmptyCluster, schemas: opts.Schemas, served: map[string]*definition{}, upcoming: map[string]*definition{}, placed: map[schema.Kind]bool{}}
	for o := range opts.Live.OfKind(DefinitionKind) {
		c.define(c.served, o.Tree)
	}
	for _, o := range opts.Definitions {
		if o.Kind.GroupKind() == DefinitionKind {
			c.define(c.served, o.Tree)
		}
	}
	for _, o := range opts.Manifests.Objects {
		if o.Kind.GroupKind() == DefinitionKind {
			c.define(c.upcoming, o.Tree)
		}
		if o.Namespace != "" {
			c.placed[schema.Kind{Group: o.Kind.Group, Kind: o.Kind.Kind}] = true
		}
	}
	return c
}

// Objects lists the live objects of a kind, without managedFields.
func (c *Catalog) Objects(groupKind string) []tree.Object {
	return c.byKind.Get(groupKind, func() []tree.Object { return c.live.Trees(c.live.EntriesOfKind(groupKind)) })
}

// place is where the objects of a kind are in a namespace.
type place struct{ groupKind, namespace string }

// objectsIn lists the live objects of a kind in a namespace, without managedFields.
func (c *Catalog) objectsIn(groupKind, namespace string) []tree.Object {
	return c.byPlace.Get(place{groupKind, namespace}, func() []tree.Object {
		entries := c.within.Get(groupKind, func() map[string][]*manifest.Entry {
			by := map[string][]*manifest.Entry{}
			for _, e := range c.live.EntriesOfKind(groupKind) {
				by[e.Namespace] = append(by[e.Namespace], e)
			}
			return by
		})
		return c.live.Trees(entries[namespace])
	})
}

// defines is the kind that a definition defines, without a version.
func defines(crd tree.Object) schema.Kind {
	return schema.Kind{Group: tree.String(crd, "spec", "group"), Kind: tree.String(crd, "spec", "names", "kind")}
}

// define adds a definition.
func (c *Catalog) define(to map[string]*definition, crd tree.Object) {
	spec := tree.Map(crd, "spec")
	d := &definition{
		plural:     tree.String(spec, "names", "plural"),
		namespaced: tree.String(spec, "scope") != "Cluster",
		versions:   map[string]bool{},
		object:     crd,
	}
	for _, v := range tree.List(spec, "versions") {
		d.versions[tree.String(v, "name")] = tree.Bool(v, "served")
	}
	if v := tree.String(spec, "version"); v != "" && len(d.versions) == 0 {
		d.versions[v] = true
	}
	d.compile = sync.OnceValue(func() *kube.Definition {
		compiled, err := kube.CompileDefinition(crd, c.minor)
		if err != nil {
			return nil
		}
		return compiled
	})
	to[defines(crd).GroupKind()] = d
}

// definition returns the definition that serves a kind, or nil for a built-in
// one. A kind that only the manifests define counts as defined already, as it
// is from the second apply on. A kind that nothing is known of gets an open
// definition: its objects go through what every custom resource goes through,
// and keep all fields. One of which only the schema of the version is known gets a
// definition with that version alone.
func (c *Catalog) definition(k schema.Kind) *kube.Definition {
	if d := c.served[k.GroupKind()]; d != nil {
		if compiled := d.compile(); compiled != nil {
			return compiled
		}
	}
	if builtin(k) {
		return nil
	}
	if d := c.upcoming[k.GroupKind()]; d != nil {
		if compiled := d.compile(); compiled != nil {
			return compiled
		}
	}
	return c.openStoring(k, k)
}

// openStoring is an open definition that stores the version of another kind.
func (c *Catalog) openStoring(k, stored schema.Kind) *kube.Definition {
	return c.open.Get([2]schema.Kind{k, stored}, func() *kube.Definition { return c.openDefinition(k, stored) })
}

// storesLess reports whether an object is another one once it was stored in a version that comes
// before its own in the order of clients, and whose schema is known, too.
func (c *Catalog) storesLess(k schema.Kind, obj tree.Object) bool {
	versions := c.schemas.Versions(k)
	return slices.ContainsFunc(versions[:slices.Index(versions, k)], func(other schema.Kind) bool {
		d := c.openStoring(k, other)
		return d != nil && !tree.Equal(d.Returned(k.Version, obj), obj)
	})
}

func (c *Catalog) openDefinition(k, stored schema.Kind) *kube.Definition {
	scope := "Namespaced"
	if namespaced, known := c.Scope(k); known && !namespaced {
		scope = "Cluster"
	}
	plural := c.Plural(k)
	var versions []any
	for _, k := range c.schemas.Versions(k) {
		version := tree.Object{"name": k.Version, "served": true, "storage": k == stored,
			"schema": tree.Object{"openAPIV3Schema": tree.Object{"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}
		if s := c.schemas.Of(k); s != nil {
			tree.Set(version, s.Body, "schema", "openAPIV3Schema")
			if s.Status {
				tree.Set(version, tree.Object{}, "subresources", "status")
			}
		}
		versions = append(versions, version)
	}
	d, err := kube.CompileDefinition(tree.Object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": tree.Object{"name": plural + "." + k.Group},
		"spec": tree.Object{
			"group": k.Group, "scope": scope,
			"names":    tree.Object{"kind": k.Kind, "plural": plural, "singular": strings.ToLower(k.Kind), "listKind": k.Kind + "List"},
			"versions": versions,
		},
	}, c.minor)
	if err != nil {
		return nil
	}
	return d
}

// Scope tells whether a kind is namespaced.
func (c *Catalog) Scope(k schema.Kind) (namespaced, known bool) {
	k = c.Mapped(k)
	if r, ok := schema.Builtin(k); ok {
		return r.Namespaced, true
	}
	for _, set := range []map[string]*definition{c.served, c.upcoming} {
		if d := set[k.GroupKind()]; d != nil {
			return d.namespaced, true
		}
	}
	if s := c.schemas.Of(k); s != nil && s.Scope != "" {
		return s.Scope == "Namespaced", true
	}
	if namespaced, known = c.live.Scope(k); !known {
		namespaced = c.placed[schema.Kind{Group: k.Group, Kind: k.Kind}]
		known = namespaced
	}
	return namespaced, known
}

// Plural is the resource name of a kind; that of an unknown one is guessed.
func (c *Catalog) Plural(k schema.Kind) string {
	k = c.Mapped(k)
	if r, ok := schema.Builtin(k); ok {
		return r.Plural
	}
	if r, ok := schema.Removed(k); ok {
		return r.Plural
	}
	for _, set := range []map[string]*definition{c.served, c.upcoming} {
		if d := set[k.GroupKind()]; d != nil {
			return d.plural
		}
	}
	if s := c.schemas.Of(k); s != nil && s.Plural != "" {
		return s.Plural
	}
	return guessedPlural(strings.ToLower(k.Kind))
}

// guessedPlural is what controller-gen names most kinds.
func guessedPlural(singular string) string {
	hissing := slices.ContainsFunc([]string{"s", "x", "z", "ch", "sh"}, func(end string) bool { return strings.HasSuffix(singular, end) })
	stem, y := strings.CutSuffix(singular, "y")
	switch {
	case strings.HasSuffix(singular, "endpoints"):
		return singular
	case hissing:
		return singular + "es"
	case y && !strings.ContainsAny(stem[max(len(stem)-1, 0):], "aeiou"):
		return stem + "ies"
	}
	return singular + "s"
}

// Serves tells whether the cluster serves a kind; known is false where neither
// the tables nor the snapshot can tell.
func (c *Catalog) Serves(k schema.Kind) (serves, known bool) {
	if r, ok := schema.Builtin(k); ok && (r.OnByDefault() || !r.In(c.minor)) {
		return r.In(c.minor), true
	}
	if _, gone := schema.Removed(k); gone {
		return false, true // whatever a snapshot of an older server has
	}
	if d := c.served[k.GroupKind()]; d != nil {
		return d.versions[k.Version], true
	}
	for _, live := range c.live.Kinds() {
		if live == k {
			return true, true
		}
	}
	return false, (builtin(k) || c.coversDefinitions() || c.whole && c.upcoming[k.GroupKind()] != nil) && !c.aggregated(k)
}

// aggregated reports whether another API server answers for the version of a kind's group,
// as for OpenShift's Route. What kinds it serves stands in no object, and it may not have
// stored one yet. While it is down, discovery leaves its kinds out.
func (c *Catalog) aggregated(k schema.Kind) bool {
	return slices.ContainsFunc(c.Objects("APIService.apiregistration.k8s.io"), func(api tree.Object) bool {
		down := slices.ContainsFunc(tree.List(api, "status", "conditions"), func(is any) bool {
			return tree.String(is, "type") == "Available" && tree.String(is, "status") == "False"
		})
		spec := tree.Map(api, "spec")
		return !down && tree.Map(spec, "service") != nil && tree.String(spec, "group") == k.Group && tree.String(spec, "version") == k.Version
	})
}

// MayServe reports whether the first apply rejects an object if the cluster does not have
// the definition yet that is among the manifests. Nothing tells whether it has.
func (c *Catalog) MayServe(k schema.Kind) bool {
	_, known := c.Serves(k)
	d := c.upcoming[k.GroupKind()]
	return !known && d != nil && d.versions[k.Version]
}

// Served lists what the cluster of the options serves, sorted, as Helm's capabilities
// name it: "apps/v1" and "apps/v1/Deployment" (helm.sh/helm/v4/pkg/action GetVersionSet).
func Served(opts Options) []string {
	opts.Manifests = &manifest.Set{}
	c := NewCatalog(opts)
	kinds := slices.Clone(opts.Live.Kinds())
	for _, r := range schema.Resources() {
		kinds = append(kinds, r.Kind)
	}
	for groupKind, d := range c.served {
		kind, group, _ := strings.Cut(groupKind, ".")
		for version := range d.versions {
			kinds = append(kinds, schema.Kind{Group: group, Version: version, Kind: kind})
		}
	}
	var list []string
	for _, k := range kinds {
		if serves, _ := c.Serves(k); serves {
			list = append(list, k.APIVersion(), k.APIVersion()+"/"+k.Kind)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// builtin reports whether a kind is, or would be, one of the server's own: no
// CustomResourceDefinition can add it.
func builtin(k schema.Kind) bool {
	if _, gone := schema.Removed(k); gone {
		return true
	}
	return schema.BuiltinGroup(k.Group)
}

// coversDefinitions reports whether the absence of a CustomResourceDefinition
// from the snapshot means something.
func (c *Catalog) coversDefinitions() bool {
	return c.live.Covers("apiextensions.k8s.io", "CustomResourceDefinition") || c.Complete()
}

// Converts reports whether it is known what a live custom resource is in the version of a kind: no
// webhook converts it.
func (c *Catalog) Converts(k schema.Kind, live tree.Object) bool {
	if c.served[k.GroupKind()] == nil {
		return false
	}
	d := c.definition(k)
	if d == nil {
		return false
	}
	_, known := d.Read(k.Version, live)
	return known
}

// Complete reports whether the snapshot is a dump of every kind.
func (c *Catalog) Complete() bool { return c.live.Complete() }

// definitionOf is the CustomResourceDefinition, of the snapshot or of --crd, that defines a
// kind; nil if none does.
func (c *Catalog) definitionOf(k schema.Kind) tree.Object {
	if d := c.served[k.GroupKind()]; d != nil {
		return d.object
	}
	return nil
}
