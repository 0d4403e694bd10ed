package warnings

import "threeway/merge/schema"

// RulesOf finds the rules of a kind in the table of merge/server, which this
// package cannot import.
var RulesOf func(schema.Kind) Rules

// said is what the strategy of the request's kind warns of.
func said(r Request) []string { return For(r, RulesOf(r.Kind)) }
