package serverside

import (
	"slices"
	"strings"

	"threeway/merge/owners"
	"threeway/merge/tree"
)

// Former are managers of which another takes over what they own by an operation, but not
// by a subresource.
type Former struct {
	// Prefix is how their names begin.
	Prefix    string
	Operation string
}

// TakeOver gives what former managers own to manager, as applied by it. It reports whether
// they own anything (github.com/fluxcd/pkg/ssa/patch.go PatchReplaceFieldsManagers).
func TakeOver(entries []any, former []Former, manager string) ([]any, bool) {
	var kept, theirs []any
	var ours tree.Object
	for _, e := range entries {
		switch {
		case tree.String(e, "manager") == manager && tree.String(e, "operation") == applies:
			ours = tree.Map(e)
		case slices.ContainsFunc(former, func(f Former) bool { return f.has(e) }):
			theirs = append(theirs, e)
		default:
			kept = append(kept, e)
		}
	}
	if theirs == nil {
		return entries, false
	}
	if ours == nil {
		ours, theirs = tree.Shallow(tree.Map(theirs[0])), theirs[1:]
		ours["manager"], ours["operation"] = manager, applies
	}
	set, err := owners.Fields(ours)
	for _, e := range theirs {
		fields, bad := owners.Fields(e)
		if err != nil || bad != nil {
			return entries, false
		}
		set = set.Union(fields)
	}
	fields, err := owners.FieldsV1(set)
	if err != nil {
		return entries, false
	}
	ours = tree.Shallow(ours)
	ours["fieldsV1"] = fields
	return append(kept, ours), true
}

func (f Former) has(e any) bool {
	return tree.String(e, "operation") == f.Operation && tree.String(e, "subresource") == "" && strings.HasPrefix(tree.String(e, "manager"), f.Prefix)
}
