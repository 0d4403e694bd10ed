package server

import (
	"slices"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// ownersOnce leaves each owner in the object once, and warns if that drops one. A
// create looks at what it was sent and at what mutating admission made of it, a
// patch only at the latter.
//
// Source: dedupOwnerReferencesAndAddWarning of
// k8s.io/apiserver/pkg/endpoints/handlers/rest.go.
func ownersOnce(obj tree.Object, admitted bool) []fault.Warning {
	var once []any
	var dropped []string
	named := map[string][]any{} // those of one UID
	for _, o := range tree.List(obj, "metadata", "ownerReferences") {
		uid := tree.String(o, "uid")
		if slices.ContainsFunc(named[uid], func(other any) bool { return tree.Equal(o, other) }) {
			dropped = append(dropped, uid)
		} else {
			once, named[uid] = append(once, o), append(named[uid], o)
		}
	}
	if len(dropped) == 0 {
		return nil
	}
	tree.Set(obj, once, "metadata", "ownerReferences")
	when := ""
	if admitted {
		when = " after mutating admission happens"
	}
	text := fault.Words(".metadata.ownerReferences contains duplicate entries" + when + "; API server dedups owner references in 1.20+, " +
		"and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: " + strings.Join(dropped, ", "))
	return []fault.Warning{{Text: text, Path: fieldpath.New("metadata", "ownerReferences")}}
}
