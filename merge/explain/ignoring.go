package explain

import (
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Ignoring is the outcome without the fields that the managers own in the live
// object: they are in neither Before nor Result, nor among the changes. What
// would happen to the object stays as it is.
func Ignoring(o *rehearsal.Outcome, managers []string) *rehearsal.Outcome {
	if len(managers) == 0 {
		return o
	}
	var ignored []fieldpath.Path
	for _, f := range owners.Of(o.Before, nil) {
		if slices.ContainsFunc(f.Owners, func(w owners.Owner) bool { return slices.Contains(managers, w.Manager) }) {
			ignored = append(ignored, f.Path)
		}
	}
	if ignored == nil {
		return o
	}
	m := *o
	for _, p := range ignored {
		live, _ := o.Find(p, o.Before)
		if result, _ := o.Find(p, o.Result); !tree.Equal(live, result) {
			// The server counts this change.
			ignored = append(ignored, fieldpath.New("metadata", "generation"))
			break
		}
	}
	for _, p := range ignored {
		m.Before, m.Result = tree.Map(p.Without(m.Before)), tree.Map(p.Without(m.Result))
	}
	return &m
}
