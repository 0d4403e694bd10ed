package merge

import (
	"fmt"
	"slices"
	"strings"
)

// notes says, once each, what the rehearsal could not know.
func (r *run) notes(outcomes []*Outcome) []string {
	var notes []string
	if text := further(outcomes); text != "" {
		notes = append(notes, text)
	}
	if kinds := distinct(r.unknown); len(kinds) > 0 {
		notes = append(notes, fmt.Sprintf("no CustomResourceDefinition for %s in config, snapshot or --crd: merged, but not pruned, defaulted or validated; pass --crd or a snapshot with the definitions", strings.Join(kinds, ", ")))
	}
	if rules := distinct(r.unevaluated); len(rules) > 0 {
		notes = append(notes, fmt.Sprintf("%d CEL rules of CustomResourceDefinitions were not evaluated; the server may still reject: %s", len(rules), strings.Join(rules, "; ")))
	}
	return notes
}

func distinct(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

func join(list []string) string { return strings.Join(list, ", ") }

func equalFold(a, b string) bool { return strings.EqualFold(a, b) }
