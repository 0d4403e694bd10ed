package kube

import (
	"threeway/merge/kube/internal/serverside"
	"threeway/merge/kube/internal/strategic"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Patch computes the patch that kubectl sends: a strategic merge patch for a built-in type, a JSON
// merge patch if t is nil. overwrite keeps a strategic one from failing where live and manifest
// have both changed a field.
func Patch(lastApplied, config, live tree.Object, t *schema.Type, overwrite bool) (tree.Object, error) {
	if t == nil {
		return strategic.JSONPatch(lastApplied, config, live)
	}
	return strategic.Patch(lastApplied, config, live, t, overwrite)
}

// ApplyPatch returns live with a strategic merge patch applied, with a JSON merge patch if t is nil.
func ApplyPatch(live, patch tree.Object, t *schema.Type) (tree.Object, error) {
	if t == nil {
		return strategic.JSONApply(live, patch), nil
	}
	return strategic.Apply(live, patch, t)
}

// JSONDifference returns the JSON merge patch that makes to of from.
func JSONDifference(from, to tree.Object) tree.Object { return strategic.JSONDifference(from, to) }

// Why a strategic merge patch cannot be computed: a field that the type does not have, an item
// without its merge key.
type (
	LookupError   = strategic.LookupError
	MergeKeyError = strategic.MergeKeyError
)

// ApplyRequest is a server-side apply. Former names managers whose fields another takes over.
type (
	ApplyRequest = serverside.Request
	Former       = serverside.Former
)

// TakeOver returns the managedFields in which manager has the fields of the former managers, and
// whether anything changed.
func TakeOver(entries []any, former []Former, manager string) ([]any, bool) {
	return serverside.TakeOver(entries, former, manager)
}

// LastAppliedOwned reports whether a manager that applies owns the last-applied annotation.
func LastAppliedOwned(entries []any) bool { return serverside.LastAppliedOwned(entries) }
