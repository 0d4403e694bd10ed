package serverside

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/merge"

	"threeway/merge/fault"
	"threeway/merge/owners"
)

// Conflicts are the fields that an apply would change although other managers
// own them. The text of the error is the server's (apimachinery
// pkg/util/managedfields/internal/conflict.go).
type Conflicts []Conflict

// Conflict is one field and one of its owners.
type Conflict struct {
	Manager string         // as the server prints it: "helm" using apps/v1
	Path    fieldpath.Path //
}

func (cs Conflicts) Error() string { return cs.text(fieldpath.Path.String) }

// FaultText is the text of the error; masked, without the values in paths.
func (cs Conflicts) FaultText() fault.Text {
	masked := func(p fieldpath.Path) string { return unkeyed(p.String()) }
	return fault.Quote(sync.OnceValue(cs.Error), cs.text(masked))
}

func (cs Conflicts) text(path func(fieldpath.Path) string) string {
	if len(cs) == 1 {
		return fmt.Sprintf("Apply failed with 1 conflict: conflict with %s: %s", cs[0].Manager, path(cs[0].Path))
	}
	var lines []string
	for i, c := range cs {
		if i == 0 || cs[i-1].Manager != c.Manager {
			lines = append(lines, fmt.Sprintf("conflicts with %s:", c.Manager))
		}
		lines = append(lines, fmt.Sprintf("- %s", path(c.Path)))
	}
	return fmt.Sprintf("Apply failed with %d conflicts: %s", len(cs), strings.Join(lines, "\n"))
}

// Faults returns the fields with their owners.
func (cs Conflicts) Faults() []fault.Fault {
	list := make([]fault.Fault, len(cs))
	for i, c := range cs {
		list[i] = fault.Fault{Code: fault.OtherManager, Path: owners.PathOf(c.Path), Manager: c.Manager}
	}
	return list
}

// named converts the conflicts of structured-merge-diff, grouped by owner.
func (m *managed) named(found merge.Conflicts) Conflicts {
	found = slices.Clone(found)
	slices.SortStableFunc(found, func(a, b merge.Conflict) int {
		return strings.Compare(a.Manager, b.Manager)
	})
	var cs Conflicts
	for _, c := range found {
		cs = append(cs, Conflict{Manager: m.owners[c.Manager].String(), Path: c.Path})
	}
	return cs
}
