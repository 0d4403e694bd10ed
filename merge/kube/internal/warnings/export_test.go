package warnings

import "threeway/merge/kube/schema"

// RulesOf finds the rules of a kind in the table of merge/kube/internal/server, which this
// package cannot import.
var RulesOf func(schema.Kind) Rules

// textsOf is what the strategy of the request's kind warns of.
func textsOf(r Request) (texts []string) {
	for _, w := range For(r, RulesOf(r.Kind)) {
		texts = append(texts, w.Unmasked())
	}
	return texts
}
