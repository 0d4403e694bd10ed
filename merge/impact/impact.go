// Package impact says what an apply does to what runs, as facts: which pods it
// replaces and how, which configuration does not reach the pods that read it, and
// what does not return when the previous manifests are applied again. It makes no
// words; see merge/report for those.
package impact

import (
	"threeway/merge"
	"threeway/merge/manifest"
)

// Impact is what an apply does to what runs.
type Impact struct {
	// Plan is the rehearsal that it was found out from.
	Plan *merge.Plan
	// Rollouts are the workloads that the apply changes, in the order of the plan.
	Rollouts []*Rollout

	byID map[manifest.Identity]*Rollout
}

// Rollout is what the apply of an object does to its pods; nil if it is no workload
// that changes.
func (i *Impact) Rollout(id manifest.Identity) *Rollout { return i.byID[id] }

// Of finds out what a plan does to what runs. The options are those that the plan
// was made with.
func Of(plan *merge.Plan, opts merge.Options) *Impact {
	c := newCluster(plan, opts)
	i := &Impact{Plan: plan, byID: map[manifest.Identity]*Rollout{}}
	for _, o := range plan.Outcomes {
		if r := c.rollout(o); r != nil {
			i.Rollouts = append(i.Rollouts, r)
			i.byID[o.Identity()] = r
		}
	}
	return i
}
