// Package impact says what an apply does to what runs, as facts: which pods it
// replaces and how, which configuration does not reach the pods that read it, and
// what does not return when the previous manifests are applied again. It makes no
// words; see merge/report for those.
package impact

import (
	"threeway/merge"
)

// Impact is what an apply does to what runs.
type Impact struct {
	// Plan is the rehearsal that it was found out from.
	Plan *merge.Plan
}

// Of finds out what a plan does to what runs. The options are those that the plan
// was made with.
func Of(plan *merge.Plan, opts merge.Options) *Impact {
	return &Impact{Plan: plan}
}
