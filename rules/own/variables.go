package own

import (
	"slices"

	"threeway/lint"
	"threeway/merge/owners"
	"threeway/merge/tree"
)

// ofApplied is a variable of an object that is applied. Its trees are masked, as all that
// rules see.
func ofApplied(p *lint.Pass, o *lint.Object, name string) any {
	switch name {
	case "live":
		return orNull(o.Before)
	case "lastApplied":
		return orNull(o.LastApplied())
	case "patch":
		if len(o.Patch) == 0 {
			return nil
		}
		return p.Secrets.As(o.Manifest.Tree, o.Patch)
	case "owners":
		return lint.Shared(o, func() entries { return listed(o.Owners()) })["owners"]
	case "plan":
		return tree.Object(lint.Shared(o, func() planned { return planned{"manifest": orNull(o.Manifest.Tree), "changes": changes(o)} }))
	}
	return nil
}

// ofDeleted is a variable of an object that --prune would delete.
func ofDeleted(live tree.Object, name string) any {
	switch name {
	case "live":
		return live
	case "owners":
		return listed(owners.Read(live))["owners"]
	case "plan":
		return tree.Object{"manifest": nil, "changes": []any{}}
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

// planned and entries are what the rules share of an object.
type (
	planned tree.Object
	entries tree.Object
)

// changes has an entry for each field that changes, or that only the live object has.
func changes(o *lint.Object) []any {
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
	return list
}

// listed are the entries of managedFields.
func listed(all []owners.Entry) entries {
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
	return entries{"owners": list}
}

func texts(list []string) []any {
	made := []any{}
	for _, s := range list {
		made = append(made, s)
	}
	return made
}
