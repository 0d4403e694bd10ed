package own

import (
	"slices"
	"sync"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/tree"
)

// ofApplied is a variable of an object that is applied. Its trees are masked,
// as all that rules see.
func ofApplied(p *lint.Pass, o *lint.Object, name string) any {
	switch name {
	case varObject:
		return orNull(o.Result)
	case varOldObject:
		return orNull(o.Before)
	case varConfig:
		return orNull(o.Manifest.Tree)
	case varLastApplied:
		return orNull(o.LastApplied())
	case varPatch:
		if len(o.Patch) == 0 {
			return nil
		}
		return p.Secrets.As(o.Manifest.Tree, o.Patch)
	case varReasons:
		return lint.Shared(o, func() reasons { return reasonsOf(o) }).list
	case varOwners:
		return lint.Shared(o, func() entries { return entries{listed(o.Owners())} }).list
	case varNamespaceObject:
		return namespace(p, o.Manifest.Namespace)
	}
	return nil
}

// ofDeleted is a variable of an object that --prune would delete.
func ofDeleted(p *lint.Pass, live *manifest.Object, name string) any {
	switch name {
	case varOldObject:
		return orNull(p.Secrets.Object(live.Tree))
	case varReasons:
		return []any{}
	case varOwners:
		return listed(owners.Read(live.Tree))
	case varNamespaceObject:
		return namespace(p, live.Namespace)
	}
	return nil
}

// orNull is a tree, or null instead of none.
func orNull(o tree.Object) any {
	if o == nil {
		return nil
	}
	return o
}

// reasons and entries are what the rules share of an object.
type (
	reasons struct{ list []any }
	entries struct{ list []any }
)

func reasonsOf(o *lint.Object) reasons {
	list := []any{}
	for _, c := range o.Changes() {
		managers := c.Owners
		if len(managers) == 0 {
			for _, w := range o.OwnersOf(c.Path) {
				if !slices.Contains(managers, w.Manager) {
					managers = append(slices.Clip(managers), w.Manager)
				}
			}
		}
		list = append(list, tree.Object{
			"path": c.Path.String(), "reason": string(c.Reason), "managers": texts(managers), "old": c.Old, "new": c.New,
		})
	}
	return reasons{list}
}

// listed are the entries of managedFields.
func listed(all []owners.Entry) []any {
	list := []any{}
	for _, e := range all {
		fields := []any{}
		for _, p := range e.Leaves() {
			fields = append(fields, p.String())
		}
		list = append(list, tree.Object{
			"manager": e.Manager, "operation": e.Operation, "subresource": e.Subresource, "fields": fields,
		})
	}
	return list
}

func texts(list []string) []any {
	made := []any{}
	for _, s := range list {
		made = append(made, s)
	}
	return made
}

// planned are the namespaces of the manifests.
type planned map[string]lint.Member

// namespace is the Namespace of an object after the apply, or as it is live;
// nil if the object has none or if it is in neither.
func namespace(p *lint.Pass, name string) any {
	if name == "" {
		return nil
	}
	inSet := lint.SharedByRun(p, func() planned {
		found := planned{}
		for _, m := range p.Set() {
			if m.Manifest.Kind.GroupKind() == "Namespace" {
				found[m.Manifest.Name] = m
			}
		}
		return found
	})
	if m, ok := inSet[name]; ok {
		if o := m.Object(); o.Result != nil {
			return o.Result
		}
	}
	return lint.SharedByRun(p, func() *namespaces { return &namespaces{pass: p} }).live(name)
}

// namespaces are those of the snapshot, masked once.
type namespaces struct {
	pass  *lint.Pass
	found sync.Map
}

func (n *namespaces) live(name string) any {
	if known, ok := n.found.Load(name); ok {
		return known
	}
	if n.pass.Options.Live == nil {
		return nil
	}
	o := n.pass.Options.Live.Find(manifest.Identity{Kind: "Namespace", Name: name})
	if o == nil {
		return nil
	}
	known, _ := n.found.LoadOrStore(name, n.pass.Secrets.Object(o.Tree))
	return known
}
