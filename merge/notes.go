package merge

import (
	"fmt"
	"slices"
	"strings"
)

// notes says, once each, what the rehearsal could not know.
func (r *run) notes(outcomes []*Outcome) []string {
	var notes []string
	if text := r.ownerless(outcomes); text != "" {
		notes = append(notes, text)
	}
	if text := further(outcomes); text != "" {
		notes = append(notes, text)
	}
	if kinds := distinct(r.unknown); len(kinds) > 0 {
		notes = append(notes, fmt.Sprintf("no CustomResourceDefinition for %s in config, snapshot or --crd: merged, but not pruned, defaulted or validated; pass --crd or a snapshot with the definitions", strings.Join(kinds, ", ")))
	}
	if rules := distinct(r.unevaluated); len(rules) > 0 {
		notes = append(notes, fmt.Sprintf("%s not evaluated; the server may still reject: %s", count(len(rules), "CEL rule of a CustomResourceDefinition was", "CEL rules of CustomResourceDefinitions were"), strings.Join(rules, "; ")))
	}
	return notes
}

// ownerless is the sentence about live objects that were exported without their
// owners, which a server-side apply goes by.
func (r *run) ownerless(outcomes []*Outcome) string {
	n := 0
	for _, o := range outcomes {
		if r.ServerSide != nil && o.Live != nil && !HasManagers(o.Live.Tree) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s no managedFields, so that conflicts and removals are not those of the cluster; export them with: %s", count(n, "live object has", "live objects have"), ExportManagers)
}

func distinct(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

func join(list []string) string { return strings.Join(list, ", ") }

func equalFold(a, b string) bool { return strings.EqualFold(a, b) }
