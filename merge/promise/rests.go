package promise

import (
	"threeway/merge/fieldpath"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Second is what the same apply does once more, on the result of the first one.
type Second struct {
	Outcome *rehearsal.Outcome // may be rejected
	Changes []fieldpath.Path   // what it changes
}

// Again is what applying the manifest of an accepted object a second time does; nil if it is
// accepted and changes nothing. It is rehearsed only where the object does not have the manifest
// word for word: an apply of what is there sends nothing.
func Again(o *rehearsal.Outcome) *Second {
	return rehearsal.Remember(o, func() *Second { return findAgain(o) })
}

func findAgain(o *rehearsal.Outcome) *Second {
	changes := o.Action == rehearsal.Created || o.Action == rehearsal.Configured
	if o.Result == nil || o.Run == nil || o.Skipped != "" || !changes || literal(o) {
		return nil
	}
	s := &Second{Outcome: o.Run.Next(o, o.Manifest)}
	if s.Outcome.Rejection != nil {
		return s
	}
	s.Changes = Differing(o.Kind, o.Result, s.Outcome.Result)
	for _, key := range tree.Keys(o.Result) { // the order of items, and how often one is there
		if p := fieldpath.New(key); len(s.Changes) == 0 && key != "metadata" && key != "status" && !tree.Equal(o.Result[key], s.Outcome.Result[key]) {
			s.Changes = []fieldpath.Path{p}
		}
	}
	if len(s.Changes) == 0 {
		return nil
	}
	return s
}

// literal reports whether the result has all that the manifest says as the manifest says it, and
// that is nothing but values: what a patch removes, and what only a server sets, differs by the
// object that it meets.
func literal(o *rehearsal.Outcome) bool {
	if o.Migration != nil && o.Migration.Rejection != nil || o.Run.Server.Mutates() {
		return false // the manager owns what the manifest does not have; or a policy looks at what was stored
	}
	if o.Applier != "" && o.Run.Server.Validates() {
		return false // a server-side apply is a request also where nothing changes, and an update where the first one created
	}
	for key, v := range tree.Map(o.Manifest.Tree, "metadata") {
		if v != nil && rehearsal.ServerOwned(fieldpath.New("metadata", key)) {
			return false
		}
	}
	return keptOf(o).exact
}
