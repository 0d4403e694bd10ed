package serverside

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"threeway/merge/owners"
	"threeway/merge/tree"
)

// LastAppliedOwned reports whether an entry of managedFields that applies owns
// the last-applied annotation.
func LastAppliedOwned(entries []any) bool { return len(lastAppliedOwners(entries, applies)) > 0 }

// Upgrade turns the fields that client-side apply owns, which are the entries
// that own the last-applied annotation, into fields that manager applies. It
// reports whether there were any (client-go util/csaupgrade, kubectl
// pkg/cmd/apply/apply.go migrateToSSAIfNecessary).
func Upgrade(entries []any, manager string) ([]any, bool) {
	var names []string
	for _, e := range lastAppliedOwners(entries, updates) {
		names = append(names, tree.String(e, "manager"))
	}
	slices.Sort(names)
	return UpgradeFrom(entries, slices.Compact(names), manager)
}

// UpgradeFrom is Upgrade of what managers of given names own by updating.
func UpgradeFrom(entries []any, names []string, manager string) ([]any, bool) {
	upgraded := entries
	for _, name := range names {
		var ok bool
		if upgraded, ok = fold(upgraded, name, manager); !ok {
			return entries, false
		}
	}
	return upgraded, !slices.EqualFunc(entries, upgraded, tree.Equal)
}

// lastAppliedOwners returns the entries of an operation that own the
// annotation.
func lastAppliedOwners(entries []any, operation string) []any {
	annotation := fieldpath.MakePathOrDie("metadata", "annotations", tree.LastApplied)
	var found []any
	for _, e := range entries {
		if set, err := owners.Fields(e); err == nil && tree.String(e, "operation") == operation && set.Has(annotation) {
			found = append(found, e)
		}
	}
	return found
}

// fold merges the entry of the client-side manager into the entry that manager
// applies; without one, it becomes that entry. Other entries of the client-side
// manager are dropped. It returns false if an entry cannot be read.
func fold(entries []any, client, manager string) ([]any, bool) {
	find := func(name, operation, apiVersion string) int {
		return slices.IndexFunc(entries, func(e any) bool {
			return tree.String(e, "manager") == name && tree.String(e, "operation") == operation &&
				tree.String(e, "subresource") == "" && (apiVersion == "" || tree.String(e, "apiVersion") == apiVersion)
		})
	}
	entries = slices.Clone(entries)
	target := find(manager, applies, "")
	if target < 0 {
		if target = find(client, updates, ""); target < 0 {
			return entries, true
		}
		entry := tree.Shallow(tree.Map(entries[target]))
		entry["operation"], entry["manager"] = applies, manager
		entries[target] = entry
	}
	if source := find(client, updates, tree.String(entries[target], "apiVersion")); source >= 0 {
		ours, err := owners.Fields(entries[target])
		if err != nil {
			return nil, false
		}
		theirs, err := owners.Fields(entries[source])
		if err != nil {
			return nil, false
		}
		fields, err := owners.FieldsV1(ours.Union(theirs))
		if err != nil {
			return nil, false
		}
		entry := tree.Shallow(tree.Map(entries[target]))
		entry["fieldsV1"] = fields
		entries[target] = entry
	}
	return slices.DeleteFunc(entries, func(e any) bool {
		return tree.String(e, "manager") == client && tree.String(e, "operation") == updates && tree.String(e, "subresource") == ""
	}), true
}
